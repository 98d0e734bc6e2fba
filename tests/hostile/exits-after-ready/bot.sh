# Gets ready and ends.
echo '{"type":"ready"}'
read hello
exit 0
