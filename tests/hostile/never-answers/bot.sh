# Gets ready and never says another word.
echo '{"type":"ready"}'
while read line; do :; done
