while :; do echo building >&2; echo building; done
