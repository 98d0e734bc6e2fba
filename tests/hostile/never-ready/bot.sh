# Reads and never says a word.
while read line; do :; done
