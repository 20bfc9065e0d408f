# Part of ./dev: steps that say how far they are, and show their output only when they fail.
# shellcheck shell=bash

say() { printf '%s\n' "$*" >&2; }
refuse() {
    say "dev: $*"
    exit 2
}

# step TITLE COMMAND...: one line with the seconds it took; all of its output when it fails.
step() {
    local title=$1 began=$EPOCHREALTIME log status=0
    shift
    log=$(mktemp)
    "$@" 2>&1 </dev/null | follow "$title" "$began" "$log" || status=$?
    if ((status != 0)); then
        cat "$log" >&2
        rm -f "$log"
        say "$title: failed after $(elapsed "$began") s"
        exit "$status"
    fi
    rm -f "$log"
    tell_time "$title" "$began"
}

# follow TITLE BEGAN LOG: keeps in LOG what it reads, and meanwhile says how far ninja or ctest is:
# on a terminal on one line that is drawn anew, else on a new line from time to time.
follow() {
    local title=$1 began=${2/[^0-9]/} seconds line='' more status far='' told=0 terminal=no
    local files='^\[([0-9]+)/([0-9]+)\] ' tests='^ *([0-9]+)/([0-9]+) Test '
    [[ -t 3 ]] && terminal=yes
    while status=0; do
        IFS= read -r -t 1 more || status=$?
        line+=$more
        if ((status == 0)); then
            printf '%s\n' "$line"
            [[ "$line" =~ $files ]] && far="${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} files"
            [[ "$line" =~ $tests ]] && far="${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} tests"
            line=
        elif ((status <= 128)); then # the end; above, only nothing new for a second
            printf '%s' "$line"
            break
        fi
        seconds=$(((${EPOCHREALTIME/[^0-9]/} - began) / 1000000))
        if [[ $terminal == yes ]]; then
            printf '\r%-40s %6d s  %s\e[K' "$title" "$seconds" "$far" >&3
        elif [[ -n "$far" ]] && ((seconds - told >= ${DEV_PROGRESS:-10})); then
            printf '%-40s %6d s  %s\n' "$title" "$seconds" "$far" >&3
            told=$seconds
        fi
    done >"$3"
    [[ $terminal == no ]] || printf '\r\e[K' >&3
} 3>&1

elapsed() {
    local us=$((${EPOCHREALTIME/[^0-9]/} - ${1/[^0-9]/}))
    printf '%d.%d' $((us / 1000000)) $((us / 100000 % 10))
}
tell_time() { printf '%-40s %6s s\n' "$1" "$(elapsed "$2")"; }
