for place in / /bin /dev /etc /proc/1/cwd/.. /run /source /sys /usr /usr/lib /var; do
    echo x >"$place/hostile" && exit 7
done 2>/dev/null
for place in /*/bot.yaml /*/*/bot.yaml; do
    case $place in
    /bot/bot.yaml | /source/bot.yaml | "/*/*/bot.yaml") ;; # its own, and none
    *) exit 8 ;;
    esac
done
python3 -c 'import os; os.symlink("/", "outside")'
