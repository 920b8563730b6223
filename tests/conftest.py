"""Whatever models the person who runs the tests has added: the tests see only the shipped ones."""

import os
import tempfile
from pathlib import Path

os.environ["TWINLENS_MODELS_DIR"] = str(Path(tempfile.gettempdir()) / "twinlens-tests" / "no-models")
