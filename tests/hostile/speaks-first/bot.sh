# Answers before the hello.
printf '%s\n' '{"type":"ready"}' '{"id":1,"move":false}'
while read line; do :; done
