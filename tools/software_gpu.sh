#!/usr/bin/env bash
# Fetch a Vulkan driver that runs on the CPU, for testing the GPU backends on a machine without a GPU.
#
# It is SwiftShader, which comes with Debian's package "chromium-common". The package (32 MB) is downloaded and unpacked into
# a cache folder, not installed: the driver needs nothing but the C library. Prints the path of the driver's file;
# where that is impossible, prints why on stderr and exits with 1. Then, as a user would:
#
#   export VK_DRIVER_FILES=$(tools/software_gpu.sh) TWINLENS_ALLOW_SOFTWARE_GPU=1
#   twinlens process assets/demo.mp4 --pipeline gpu --max-frames 3
set -euo pipefail

folder=${TWINLENS_SOFTWARE_GPU_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/twinlens-software-gpu}
driver=$folder/usr/lib/chromium/vk_swiftshader_icd.json

give_up() {
    echo "no software GPU: $1" >&2
    exit 1
}

if [ ! -f "$driver" ]; then
    command -v apt-get >/dev/null || give_up "there is no apt-get to fetch Debian's chromium-common with"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cd "$work"
    if ! apt-get download chromium-common >log 2>&1; then
        # A fresh image has no package lists yet; only root may fetch them.
        apt-get update >>log 2>&1 && apt-get download chromium-common >>log 2>&1 ||
            give_up "apt-get download chromium-common failed: $(grep '^E:' log | tail -n 1)"
    fi
    dpkg-deb --fsys-tarfile chromium-common_*.deb | tar -x --wildcards 2>/dev/null "./usr/lib/chromium/*swiftshader*" ||
        give_up "the package chromium-common of this system has no SwiftShader in it"
    mkdir -p "$folder"
    cp -r usr "$folder"
fi
python3 -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "${driver%/*}/libvk_swiftshader.so" 2>/dev/null ||
    give_up "$driver does not load"
echo "$driver"
