# Gets ready and never reads its input.
echo '{"type":"ready"}'
exec sleep 1000
