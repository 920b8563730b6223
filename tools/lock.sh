#!/bin/sh
# Renew requirements/*.lock from pyproject.toml. Needs uv (https://docs.astral.sh/uv/).
set -eu
cd "$(dirname "$0")/.."
# backports-strenum: its newest release refuses Python 3.11, on which ai-edge-litert asks for it.
constraints=$(mktemp)
trap 'rm -f "$constraints"' EXIT
echo "backports-strenum<1.3" > "$constraints"
compile() {
    out=$1
    shift
    uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
        --constraint "$constraints" pyproject.toml "$@" --output-file "requirements/$out.lock"
}
compile run --group build
compile test --group build --group test
compile dev --group build --group test --group lint
