# Part of ./dev: the Debian packages that verbs need, and how they come onto the machine.
# shellcheck shell=bash disable=SC2034 # ./dev uses the lists

# What each verb needs beside bash, as Debian packages; docs/dependencies.md says why.
tool_packages=(g++ cmake ninja-build pkg-config ccache mold libtomlplusplus-dev libsodium-dev)
test_packages=("${tool_packages[@]}" git python3 iproute2 iputils-ping iputils-arping nftables
    strace curl libgtest-dev libgmock-dev librapidcheck-dev nlohmann-json3-dev clang-19
    libclang-rt-19-dev systemd)
page_packages=(clang-19 lld-19 binaryen zopfli wasi-libc libc++-19-dev-wasm32
    libclang-rt-19-dev-wasm32 nodejs)
web_packages=("${page_packages[@]}" chromium fonts-dejavu-core)
engine_packages=(libcurl4-openssl-dev libpq-dev postgresql-client-15 libgssapi-krb5-2 libicu72
    libldap-2.5-0 liblz4-1 libpam0g libselinux1 libxml2 libxslt1.1 tzdata) # unpacked servers' needs
proof_packages=(z3 cvc5) site_packages=(mkdocs mkdocs-material)
haproxy_libraries=(liblua5.3-0 libopentracing-c-wrapper0) # the program is only unpacked
deb_packages=(debhelper dh-python dpkg-dev apt-utils gpg gpg-agent buildah libcurl4-openssl-dev
    libpq-dev nlohmann-json3-dev)
root_packages=("${deb_packages[@]}" lintian mmdebstrap systemd-container) # machines to install on
lint_packages=("${test_packages[@]}" clang-format-19 clang-tidy-19)

# need PACKAGE...: installs those that are missing.
need() {
    [[ "${DEV_INSTALL:-yes}" == no ]] && return
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        refuse "there is no apt-get here: install these Debian packages by other means," \
            "then set DEV_INSTALL=no: $*"
    fi
    local installed missing=() package
    installed=" $(dpkg-query -W -f '${Package}:${db:Status-Status} ' "$@" 2>/dev/null || true)"
    for package in "$@"; do
        [[ "$installed" == *" $package:installed "* ]] || missing+=("$package")
    done
    ((${#missing[@]} == 0)) && return
    ((EUID == 0)) || command -v sudo >/dev/null ||
        refuse "only root can install what is missing, and there is no sudo here: ${missing[*]}"
    step "install ${#missing[@]} packages" install_packages "${missing[@]}"
}

as_root() {
    if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# unpack PACKAGE: its programs come into the PATH from build/unpacked. Installed, Debian would start
# it as a service, and chrony would take over the clock of whoever runs the tests.
unpack() {
    local place="$PWD/build/unpacked/$1"
    if [[ "${DEV_INSTALL:-yes}" != no && ! -d "$place" ]]; then
        step "fetch $1" unpack_package "$1" "$place"
    fi
    export PATH="$place/usr/sbin:$place/usr/bin:$PATH"
}

unpack_package() {
    local folder="$2.new"
    rm -rf "$folder"
    mkdir -p "$folder"
    # Without a list of packages there is nothing to download yet.
    (cd "$folder" && { apt-get download -qq "$1" ||
        { as_root apt-get update -qq && apt-get download -qq "$1"; }; }) || return
    dpkg-deb --extract "$folder"/*.deb "$folder" && mv "$folder" "$2"
}

install_packages() {
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@"
}
