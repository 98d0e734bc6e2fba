# Stops itself by a signal.
echo '{"type":"ready"}'
read hello
read request
kill -STOP $$
exec sleep 1000
