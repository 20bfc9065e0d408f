# ./dev bench: builds and runs one benchmark.

verb_bench() {
    local name=${1:-} known
    if [[ "$name" == --compile ]]; then
        need "${test_packages[@]}"
        step "compile the benchmarks" compile "$usual_preset" benches
        return
    fi
    known=$(cd bench 2>/dev/null && printf '%s ' *.cpp *.py)
    known=${known//.cpp/}
    known=${known//.py/}
    [[ -n "$name" ]] || refuse "name a benchmark:" $known
    [[ -f "bench/$name.cpp" || -f "bench/$name.py" ]] ||
        refuse "there is no benchmark '$name': choose from" $known
    shift
    if [[ "$name" == build ]]; then # it builds for itself, which is what it measures
        need "${lint_packages[@]}"
        unpack chrony
        exec python3 -B bench/build.py "$@"
    fi
    need "${tool_packages[@]}"
    if [[ "$name" == lab ]]; then # in Chromium
        need "${web_packages[@]}"
        build_pages
        build_both
        exec python3 -B bench/lab.py build/release/bin/conclave-lab "$@"
    fi
    if [[ -f "bench/$name.py" ]]; then # of real nodes, in network namespaces
        need python3 iproute2 keepalived
        build_tool "build the tool" conclave
        [[ "$name" != timed ]] || step "build the slaves" compile release bench_slaves
        [[ "$name" != rest ]] || step "build the limit" compile release limit_rest
        step "build the ticker" c++ -O2 -o build/release/bin/ticker tests/cluster/ticker.cpp
        exec python3 -B "bench/$name.py" build/release/bin/conclave build/release/bin/ticker "$@"
    fi
    [[ "$name" != checker ]] || need spin
    step "build (release)" compile release "bench_$name" limits
    exec "build/release/bin/bench_$name" "$@"
}
