# Answers with a byte a second.
echo '{"type":"ready"}'

while :; do
    printf ' '
    sleep 1
done
