# Closes its output and stays.
echo '{"type":"ready"}'
read hello
read request
exec >&-
exec sleep 1000
