for place in / /bin /dev /etc /proc/1/cwd/.. /run /sys /usr /usr/lib /var; do
    echo x >"$place/hostile" && exit 7
done 2>/dev/null
for place in /bot/../*/bot.yaml; do
    [ "$place" = /bot/../bot/bot.yaml ] || exit 7
done
python3 -c 'import os; os.symlink("/", "outside")'
