# Ends with exit code 0 when it is asked.
echo '{"type":"ready"}'
read hello
read request
exit 0
