# Answers with a byte a second.
echo '{"type":"ready"}'

read hello
read request
while :; do
    printf ' '
    sleep 1
done
