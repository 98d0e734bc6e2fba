# Writes valid lines without end.
echo '{"type":"ready"}'
read hello
read request
while :; do echo '{"id":1,"move":false}'; done
