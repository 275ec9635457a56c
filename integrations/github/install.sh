#!/usr/bin/env bash
# The program of `action.yml`: the one in the PATH, that of a release, or else one that is built from the source next to
# this file. The output `program` is its path. Nothing runs in the checked-out repository, which could choose the
# compiler by a rust-toolchain.toml, and its programs by a .cargo/config.toml.
# shellcheck source-path=SCRIPTDIR source=environment.sh
. "$(dirname "$0")/environment.sh"
set -e
action=$(cd -P -- "$(dirname "$0")/../.." && pwd -P)
folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/sandboxc.XXXXXX")
cd "$folder"

# finish PROGRAM: the output of the step.
finish() {
    quoted "$1" --version
    echo "program=$1" >>"$GITHUB_OUTPUT"
    exit
}

# install_release FILE: the archive for this machine, if the file lists one. Its first line is the address of the
# archives, the others are `SHA256  NAME`. An archive with another digest ends the step.
install_release() {
    local target suffix=tar.gz name=sandboxc archive digest address
    case $(uname -s)-$(uname -m) in
    Linux-x86_64) target=x86_64-unknown-linux-musl ;;
    Linux-aarch64) target=aarch64-unknown-linux-musl ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    MINGW*-x86_64 | MSYS*-x86_64) target=x86_64-pc-windows-msvc suffix=zip name=sandboxc.exe ;;
    *) return 0 ;;
    esac
    archive=$(sed -n "s/^[0-9a-f]\{64\}  \(sandboxc-v[0-9a-z.-]*-$target\.$suffix\)$/\1/p" "$1")
    [ -n "$archive" ] || return 0
    address=$(sed -n 1p "$1")
    curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --max-redirs 5 --output "$archive" \
        -- "$address/$archive"
    digest=$({ sha256sum "$archive" 2>/dev/null || shasum -a 256 "$archive"; } | cut -d ' ' -f 1)
    if ! grep -qxF "$digest  $archive" "$1"; then
        report_error "$archive has the digest $digest, which is not that of the release"
        exit 2
    fi
    mkdir bin
    case $suffix in
    zip) unzip -q -j "$archive" "${archive%.zip}/$name" -d bin ;;
    *) tar -xzf "$archive" -C bin --strip-components=1 "${archive%.tar.gz}/$name" ;;
    esac
    finish "$folder/bin/$name"
}

# shellcheck disable=SC2317
copy_source() {
    tar -C "$action" -cf - --exclude=./target --exclude=./.git --exclude=./fixtures . | tar -xf - -C source
}

# build_source: in a copy, because the action can be a folder of the checked-out repository, whose files above it cargo
# and rustup would read. Only variables that say where they are, and how they use the network, are kept.
build_source() {
    local name toolchain
    for name in $(compgen -e); do
        case $name in
        CARGO_HOME | RUSTUP_HOME)
            case ${!name}/ in
            "${GITHUB_WORKSPACE:-$workspace}"/* | "$workspace"/*) unset "$name" ;;
            /*) ;;
            *) unset "$name" ;;
            esac
            ;;
        CARGO_HTTP_* | CARGO_NET_* | RUSTUP_AUTO_INSTALL | RUSTUP_DIST_SERVER | RUSTUP_UPDATE_ROOT) ;;
        CARGO | CARGO_* | RUSTUP_* | RUSTC | RUSTC_* | RUSTDOC | RUSTDOC* | RUSTFLAGS) unset "$name" ;;
        esac
    done
    mkdir source
    quoted copy_source
    cd source
    # The default of the machine, and not what a file says.
    toolchain=$(rustup default 2>/dev/null | cut -d ' ' -f 1) || true
    export RUSTUP_TOOLCHAIN=${toolchain:-stable}
    CARGO_TARGET_DIR=$folder/target quoted cargo install --quiet --locked --path . --root "$folder"
    rm -rf "$folder/source" "$folder/target"
    finish "$folder/bin/sandboxc"
}

if installed=$(command -v sandboxc); then
    finish "$installed"
fi
[ ! -f "$action/integrations/github/release.txt" ] || install_release "$action/integrations/github/release.txt"
build_source
