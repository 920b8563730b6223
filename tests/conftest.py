"""For all tests: models that somebody has added are not seen, and what collecting the tests made is not looked at."""

import gc
import os
import tempfile
from pathlib import Path

os.environ["TWINLENS_MODELS_DIR"] = str(Path(tempfile.gettempdir()) / "twinlens-tests" / "no-models")


def pytest_collection_finish():
    """Take modules and tests out of the garbage collector's sight: every collection, and every search for what a test
    has left behind, went through hundreds of thousands of them."""
    gc.collect()
    gc.freeze()
