# Sourced by scripts/quickstart and scripts/test: finding a Python, making an environment of it.
#
# An environment lives under $ENVIRONMENTS (.envs, ignored by git). It is used
# again as long as its Python and what it was asked to install are the same.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
ENVIRONMENTS="${TFGRAPHTOOLS_ENVS:-$ROOT/.envs}"

# The TensorFlow 2 that we test with. setup.cfg does not pin it: it must keep up.
TENSORFLOW2="${TENSORFLOW2:-tensorflow==2.21.*}"
TENSORFLOW1="tensorflow==1.15.5"

say() { printf '%s\n' "$*" >&2; }

fail() { say "scripts/$(basename "$0"): $*"; exit 2; }

# python_version PYTHON: prints "3.11", or fails where PYTHON does not run at all.
python_version() {
    "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null
}

# tensorflow_for VERSION: the TensorFlow we install on that Python, or fails.
tensorflow_for() {
    case "$1" in
        3.7) echo "$TENSORFLOW1" ;;
        3.8) echo "tensorflow==2.13.*" ;;  # the newest that Python 3.8 has
        3.9) echo "tensorflow==2.20.*" ;;  # the newest that Python 3.9 has
        3.10 | 3.11 | 3.12 | 3.13) echo "$TENSORFLOW2" ;;
        *) return 1 ;;
    esac
}

# choose_python OLDEST: sets CHOSEN ($PYTHON, or python3) and TENSORFLOW (what runs on it).
choose_python() {
    local oldest="$1" version
    CHOSEN="${PYTHON:-python3}"
    version="$(python_version "$CHOSEN")" \
        || fail "'$CHOSEN' does not run. Install Python $oldest to 3.13," \
            "or name one: PYTHON=/path/to/python $0"
    if ! TENSORFLOW="$(tensorflow_for "$version")" || [ "${version#3.}" -lt "${oldest#3.}" ]; then
        fail "'$CHOSEN' is Python $version; expected Python $oldest to 3.13, for which" \
            "there is a supported TensorFlow. Name one: PYTHON=/path/to/python $0"
    fi
}

# find_python37: prints the first Python 3.7 that runs, or fails.
find_python37() {
    local python
    for python in "${PYTHON37:-}" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.7*/bin/python python3.7; do
        if [ -n "$python" ] && [ "$(python_version "$python")" = 3.7 ]; then
            echo "$python"
            return 0
        fi
    done
    return 1
}

# make_environment NAME PYTHON REQUIREMENT...: makes or reuses $ENVIRONMENTS/NAME.
#
# With TFGRAPHTOOLS_ENV_CACHE=FOLDER it is a link to a folder there, whose name has a hash of what is
# asked for and of setup.cfg: runs that ask for the same share it, one at a time.
make_environment() {
    local name="$1" folder="$ENVIRONMENTS/$1" python="$2" start=$SECONDS requested
    shift 2
    requested="$("$python" --version 2>&1) $*
$(cat "$ROOT/setup.cfg")"
    mkdir -p "$ENVIRONMENTS"
    if [ -n "${TFGRAPHTOOLS_ENV_CACHE:-}" ]; then
        requested="${requested//"$ROOT"/.}" # the same in every checkout
        use_cached "$name" "$(hash_of "$python" "$requested")"
        if [ -L "$folder" ]; then folder="$(readlink "$folder")"; fi # which its scripts name
    fi
    if [ "$(cat "$folder/installed.txt" 2>/dev/null)" = "$requested" ] \
        && "$folder/bin/python" -c ''; then
        say "Environment $folder: ready."
        return 0
    fi
    say "Environment $folder: making it ($("$python" --version 2>&1))."
    say "  It installs: $(packages_of "$python" "$@" 2>/dev/null || echo "$*")"
    rm -rf "$folder"
    quietly "$ENVIRONMENTS/install-$name.log" "$python" -m venv "$folder"
    # Of 28,000 files the tests import a part: Python compiles what it imports.
    quietly "$ENVIRONMENTS/install-$name.log" "$folder/bin/python" -m pip install \
        --no-compile --disable-pip-version-check --no-input --progress-bar off "$@"
    printf '%s' "$requested" > "$folder/installed.txt"
    say "  Made in $((SECONDS - start)) s."
}

# packages_of PYTHON REQUIREMENT...: prints the names of what pip is asked for, those of this project's
# extras in place of them.
packages_of() {
    local python="$1"
    shift
    "$python" - "$ROOT/setup.cfg" "$@" <<'END'
import configparser, re, sys

try:
    from pip._vendor.packaging.markers import Marker
except ImportError:
    Marker = None


def is_for_this_python(line):
    marker = line.partition(";")[2].strip()
    return not marker or Marker is None or Marker(marker).evaluate()


config = configparser.ConfigParser()
config.read(sys.argv[1])
names = []
for word in sys.argv[2:]:
    match = re.search(r"\[([^]]*)\]$", word)
    if word.startswith("-"):
        continue
    if not match:
        names.append("tfgraphtools" if "/" in word else word)
        continue
    for extra in match.group(1).split(","):
        lines = config.get("options.extras_require", extra, fallback="").splitlines()
        lines = [line for line in lines if line and line[0] != "#" and is_for_this_python(line)]
        names += [re.split(r"[ ;<>=]", line)[0] for line in lines]
print(", ".join(dict.fromkeys(names)))
END
}

# hash_of PYTHON TEXT: prints a short hash.
hash_of() {
    printf '%s' "$2" | "$1" -c \
        'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest()[:16])'
}

# use_cached NAME HASH: makes $ENVIRONMENTS/NAME a link into TFGRAPHTOOLS_ENV_CACHE, unless another run
# uses that folder at this moment: then this one makes its own.
use_cached() {
    local cached="$TFGRAPHTOOLS_ENV_CACHE/$1-$2" lock="$TFGRAPHTOOLS_ENV_CACHE/$1-$2.used-by"
    mkdir -p "$TFGRAPHTOOLS_ENV_CACHE"
    if [ -L "$ENVIRONMENTS/$1" ]; then rm "$ENVIRONMENTS/$1"; fi
    if [ -f "$lock" ] && [ "$(cat "$lock")" != $$ ] && kill -0 "$(cat "$lock")" 2>/dev/null; then
        say "Environment $cached: another run uses it."
        return 0
    fi
    echo $$ > "$lock"
    rm -rf "${ENVIRONMENTS:?}/$1"
    ln -s "$cached" "$ENVIRONMENTS/$1"
}

# build_distributions: makes the source distribution of the working tree, and the wheel from it, and
# sets DIST (their folder) and WHEEL. Files that git ignores are not part of either.
build_distributions() {
    local copy="$ENVIRONMENTS/source"
    DIST="$ENVIRONMENTS/dist"
    make_environment build "$CHOSEN" build setuptools wheel
    rm -rf "$copy" "$DIST"
    mkdir -p "$copy"
    (cd "$ROOT" && list_source | tar --create --null --files-from=- | tar --extract -C "$copy")
    quietly "$ENVIRONMENTS/build.log" "$ENVIRONMENTS/build/bin/python" -m build --no-isolation \
        --outdir "$DIST" "$copy"
    rm -rf "$copy"
    WHEEL="$(ls "$DIST"/*.whl)"
}

# list_source: prints the files of the working tree, each ended by a null byte.
list_source() {
    local path
    if git rev-parse --git-dir > /dev/null 2>&1; then
        git ls-files -z --cached --others --exclude-standard
    else
        find . \( -name .envs -o -name build -o -name dist -o -name __pycache__ -o -name '*.egg-info' \) \
            -prune -o -type f -print0
    fi | while IFS= read -r -d '' path; do
        if [ -e "$path" ]; then printf '%s\0' "$path"; fi # git lists deleted files, too
    done
}

# extract_suite: sets SUITE, a folder that has what the source distribution has but the package, so that
# tests which run there import the installed one. It is removed when the script ends.
extract_suite() {
    SUITE="$(mktemp -d "${TMPDIR:-/tmp}/tfgraphtools-suite.XXXXXX")"
    trap 'rm -rf "$SUITE"' EXIT
    tar --extract --file "$(ls "$DIST"/*.tar.gz)" -C "$SUITE" --strip-components 1
    rm -rf "$SUITE"/tfgraphtools "$SUITE"/*.egg-info
    export TFGRAPHTOOLS_CHECKOUT="$ROOT" TFGRAPHTOOLS_DIST="$DIST"
    unset PYTHONPATH
}

# install_wheel NAME: puts the wheel that was just built into an environment that has all it needs.
install_wheel() {
    quietly "$ENVIRONMENTS/install-$1.log" "$ENVIRONMENTS/$1/bin/python" -m pip install --quiet \
        --disable-pip-version-check --no-input --no-compile --no-deps --force-reinstall "$WHEEL"
}

# tensorflow_of NAME: what that environment has, such as "tensorflow-2.21.0".
tensorflow_of() {
    basename "$ENVIRONMENTS/$1"/lib/python3*/site-packages/tensorflow-[0-9]*.dist-info .dist-info
}

# quietly LOG COMMAND...: runs it; its output is shown only if it fails.
quietly() {
    local log="$1" beat status=0
    shift
    heartbeat "$log" &
    beat=$!
    "$@" > "$log" 2>&1 < /dev/null || status=$?
    kill "$beat" 2>/dev/null || true
    wait "$beat" 2>/dev/null || true
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
    if [ "$status" -ne 0 ]; then
        cat "$log" >&2
        fail "this failed: $*"
    fi
}

# heartbeat LOG: how long a command has been running, and the last line of its log: a counter on a
# terminal, else a line a minute.
heartbeat() {
    local seconds=0 last
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        seconds=$((seconds + 1))
        if [ -t 2 ]; then
            last="$(tail -n 1 "$1" 2>/dev/null | tr -d '\r\033' | cut -c1-60)"
            printf '\r\033[K  %d s  %s' "$seconds" "$last" >&2
        elif [ $((seconds % 60)) -eq 0 ]; then
            say "  $seconds s  $(tail -n 1 "$1" 2>/dev/null | cut -c1-100)"
        fi
    done
}
