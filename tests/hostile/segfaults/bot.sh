# Is killed by a segmentation fault.
echo '{"type":"ready"}'
read hello
read request
kill -SEGV $$
