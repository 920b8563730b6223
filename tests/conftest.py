"""For all tests: no process sees what the user has kept, and what collecting the tests made is not looked at."""

import atexit
import contextlib
import gc
import os
import shutil
import signal
import tempfile
from pathlib import Path

_FOLDER = Path(tempfile.mkdtemp(prefix="twinlens-tests-"))
_PROCESS = os.getpid()
# Set before anything is imported: settings, models and pictures of the user, and what was tried on this machine before,
# would decide what "auto" means. Children inherit it.
os.environ.update(
    {
        "TWINLENS_MODELS_DIR": str(_FOLDER / "models"),
        "TWINLENS_CACHE_DIR": str(_FOLDER / "cache"),
        "XDG_CONFIG_HOME": str(_FOLDER / "config"),
        "XDG_DATA_HOME": str(_FOLDER / "data"),
        "XDG_PICTURES_DIR": str(_FOLDER / "pictures"),
    }
)


with contextlib.suppress(ImportError):  # an environment for the training alone has none
    from hypothesis import HealthCheck, settings

    # By default an example that takes 0.2 s is a failure: on a busy machine any may.
    settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("patient")


# Who starts the tests in the background has signals ignored that tests send; the programs they start inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@atexit.register
def _remove():
    if os.getpid() == _PROCESS:  # not a fork of it
        shutil.rmtree(_FOLDER, ignore_errors=True)


def pytest_collection_finish():
    """Take modules and tests out of the garbage collector's sight: every collection, and every search for what a test
    has left behind, went through hundreds of thousands of them."""
    gc.collect()
    gc.freeze()
