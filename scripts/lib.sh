# shellcheck shell=sh disable=SC2034
# Shared by the scripts in this folder; read with `.`, never run. POSIX sh.

ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$ROOT" || exit 1

# Everything that is installed, cached or remembered; git ignores it.
KEPT=$ROOT/.mec2c
TARGET=${CARGO_TARGET_DIR:-$ROOT/target}

step() {
    printf '\n==> %s\n' "$*"
}

note() {
    printf '    %s\n' "$*"
}

# What is skipped is said so that nobody takes it for passed.
skipped() {
    printf '\n!!! SKIPPED: %s\n' "$*" >&2
}

die() {
    printf '\nerror: %s\n' "$1" >&2
    shift
    for line in "$@"; do
        printf '       %s\n' "$line" >&2
    done
    exit 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# version_at_least 20.19 20.20.2: is the second one the first or newer?
version_at_least() {
    oldest=$(printf '%s\n%s\n' "$1" "$2" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1)
    [ "$oldest" = "$1" ]
}
