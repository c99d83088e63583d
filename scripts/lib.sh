# shellcheck shell=sh disable=SC2034
# Shared functions and variables. Source it with `.`; POSIX sh.

ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$ROOT" || exit 1

# Installed and cached files and local state; git ignores the folder.
KEPT=$ROOT/.mec2c
TARGET=${CARGO_TARGET_DIR:-$ROOT/target}

# Seconds since the epoch at which the outermost script began.
: "${SCRIPT_BEGAN:=$(date +%s)}"
export SCRIPT_BEGAN

# step WHAT: says what begins, after how many seconds.
step() {
    printf '\n==> %s (after %s s)\n' "$*" "$(($(date +%s) - SCRIPT_BEGAN))"
}

note() {
    printf '    %s\n' "$*"
}

# Reports a skipped check prominently, so that it is not mistaken for a passed one. Fails in CI, where nobody reads it.
skipped() {
    printf '\n!!! SKIPPED: %s\n' "$*" >&2
    [ "${CI:-}" != true ] || die "with CI=true, no check may be skipped."
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

# apt_install PACKAGE: installs a package of the system, if this is root on a system with apt.
apt_install() {
    if [ "$(id -u)" != 0 ] || ! have apt-get; then
        return 1
    fi
    note "Installing $1 with apt" >&2
    mkdir -p "$KEPT"
    apt-get update -qq >"$KEPT/apt.log" 2>&1 &&
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >>"$KEPT/apt.log" 2>&1
}

# version_at_least MINIMUM FOUND: succeeds if FOUND is MINIMUM or newer.
version_at_least() {
    oldest=$(printf '%s\n%s\n' "$1" "$2" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1)
    [ "$oldest" = "$1" ]
}

# install_tool PACKAGE VERSION [PROGRAM]: builds a cargo tool into .mec2c/tools, unless it is installed. Remove
# .mec2c/tools/target afterwards.
install_tool() {
    program=${3:-$1}
    if have "$program" || [ -x "$KEPT/tools/bin/$program" ]; then
        return 0
    fi
    mkdir -p "$KEPT/tools"
    step "Building $1 $2"
    CARGO_TARGET_DIR="$KEPT/tools/target" CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off \
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
        cargo install --quiet --locked --root "$KEPT/tools" --version "=$2" "$1"
}
