# Sourced by scripts/test: the runs of pytest in an environment, and what failed once more.
# It reads $arguments, the words for pytest, and sets $summary and $status.

# run_suite NAME: the suite in one environment; pytest's last lines go to $summary too.
#
# The whole of it is two runs at once: the files that wait more than they compute have a process of
# their own beside the $JOBS workers of the others.
status=0
summary=
WORKERS="--dist loadfile --max-worker-restart 3" # a test that ends its worker is run in the next one
run_suite() {
    local name="$1" title color=no waiting= result=0
    title="$(tensorflow_of "$1"), $("$ENVIRONMENTS/$1/bin/python" --version 2>&1)"
    if [ -t 1 ]; then color=yes; fi
    printf '\n%s\n' "$title"
    rm -rf "$ENVIRONMENTS/$1".*pytest_cache "$ENVIRONMENTS/$1.durations.tsv"
    export TFGRAPHTOOLS_DURATIONS="$ENVIRONMENTS/$1.durations.tsv"
    if is_some_of_it; then
        run_part "$name" -n "${JOBS:-2}" $WORKERS || result=$?
        count_part "$name" "$result"
        return
    fi
    run_part "$name.waiting" -n 0 --waiting only > "$ENVIRONMENTS/$1.waiting.output" &
    waiting=$!
    trap 'pkill -P "$waiting" 2> /dev/null; exit 130' INT TERM
    run_part "$name" -n "${JOBS:-2}" $WORKERS --waiting without || result=$?
    local result_of_waiting=0
    wait "$waiting" || result_of_waiting=$?
    trap - INT TERM
    printf '\n%s: the tests that wait\n' "$title"
    cat "$ENVIRONMENTS/$1.waiting.output"
    if [ "$result_of_waiting" -eq 5 ]; then result_of_waiting=0; fi # the arguments choose none of them
    count_part "$name" "$result" --waiting without
    count_part "$name.waiting" "$result_of_waiting" --waiting only
}

# is_some_of_it: whether the arguments name files, or ask for a run that is short anyway.
is_some_of_it() {
    local word
    for word in ${arguments[@]+"${arguments[@]}"}; do
        case "$word" in tests* | */* | *.py | --quick) return 0 ;; esac
    done
    return 1
}

# run_part PART OPTION...: one run of pytest, with its status; what it prints goes to PART.log, too.
run_part() {
    local part="$1"
    shift
    "$ENVIRONMENTS/$name/bin/python" -m pytest "$@" --color="$color" \
        -o "cache_dir=$ENVIRONMENTS/$part.pytest_cache" ${arguments[@]+"${arguments[@]}"} \
        < /dev/null | tee "$ENVIRONMENTS/$part.log"
}

# count_part PART RESULT OPTION...: adds what a run ended with to $summary and $status.
# Tests that failed run once more, alone: real servers and child processes can miss a time limit on
# a busy machine. What fails twice is a failure; what failed once is named in the summary.
count_part() {
    local part="$1" result="$2"
    shift 2
    summary="$summary$title: $(last_line "$part")"$'\n'
    if [ "$result" -eq 1 ]; then
        result=0
        printf '\n%s: the tests that failed, once more and alone\n' "$title"
        run_part "$part" -n 0 "$@" --last-failed --last-failed-no-failures none || result=$?
        summary="$summary  once more, alone: $(last_line "$part")"$'\n'
    fi
    [ "$result" -eq 0 ] || status=1
}

# last_line PART: prints the last line that a run of pytest printed.
last_line() { grep -v '^[[:space:]]*$' "$ENVIRONMENTS/$1.log" | tail -n 1; }
