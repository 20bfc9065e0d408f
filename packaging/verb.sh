# ./dev package: programs and libraries as Debian packages, a static tarball and an OCI image.

verb_package() {
    need "${tool_packages[@]}" git "${deb_packages[@]}"
    # Words that cannot be are refused before anything is compiled.
    python3 -B packaging/package.py --check-words "$@"
    build_pages
    step "build (package)" compile package
    step "build (static)" compile static conclave conclave-guardian
    step "pack" python3 -B packaging/package.py "$@"
    stat --printf '%9s bytes  %n\n' build/packages/*
}
