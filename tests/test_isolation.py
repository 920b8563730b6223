"""No test, and no process that one starts, sees what the user has kept: settings, models, verdicts, pictures."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[1]
CODE = """
import json
from app.settings import Settings, default_path, load
from models.manifest import manifest_names
from models.user import user_models_dir
from pipelines.backends.trials import cache_dir
places = [default_path(), user_models_dir(), cache_dir(), Settings().screenshot_folder()]
print(json.dumps([[str(path) for path in places], load(default_path())[0].pipeline, list(manifest_names())]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep their folders where no variable leads")
def test_a_child_does_not_see_what_the_user_has_kept(tmp_path):
    """A home with something in it stands for the user's own."""
    settings = tmp_path / ".config/twinlens/settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"version": 1, "pipeline": "ort-cpu"}))
    model = tmp_path / ".local/share/twinlens/models/mine.toml"
    model.parent.mkdir(parents=True)
    model.write_text("")
    environment = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    places, pipeline, models = json.loads(done.stdout)
    assert [path for path in places if Path(path).is_relative_to(tmp_path)] == []
    assert pipeline == "auto"
    assert "mine" not in models
