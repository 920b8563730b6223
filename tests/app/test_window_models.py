"""A chosen model that is lost or damaged since: one sentence, and the picture goes on with the usual one."""

import pytest

from app.__main__ import main
from app.settings import Settings
from models.errors import ModelError
from pipelines.config import PipelineConfig
from pipelines.pipeline import Pipeline
from tests.models.foreign import weighted_sum


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """The folder of the user's models, with one in it that is called "mine"."""
    folder = tmp_path / "models"
    monkeypatch.setenv("TWINLENS_MODELS_DIR", str(folder))
    monkeypatch.setenv("TWINLENS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("pipelines.adding.backend_ids", lambda: ("ort-cpu",))
    network = weighted_sum(tmp_path / "net.onnx", weights=(0.0, 0.0, 1.0), shape=(1, 3, 96, 160), out=(1, 96, 160))
    assert main(["models", "add", str(network), "--task", "depth", "--name", "mine", "--title", "My depth"]) == 0
    return folder


def test_an_added_model_can_be_chosen_in_the_panel(bench, mine):
    one = bench().play()
    combo = one.window.panel.models["depth"]
    assert [combo.itemText(index) for index in range(combo.count())][1:] == ["My depth"]
    combo.setCurrentIndex(1)
    combo.activated.emit(1)
    assert one.controller.settings.models == {"depth": "mine"}
    assert one.engine.configs[-1].models == {"depth": "mine"}


@pytest.mark.parametrize(
    ("damage", "cause"),
    [
        (lambda folder: next(folder.glob("*.onnx")).write_bytes(b"other"), "checksum differs"),
        (lambda folder: next(folder.glob("*.onnx")).unlink(), "the model file is missing"),
        (lambda folder: [path.unlink() for path in folder.iterdir()], "there is no model called 'mine'"),
        (lambda folder: (folder / "mine.toml").write_text("x"), "not valid toml"),
    ],
)
def test_a_lost_model_is_replaced_by_the_usual_one(bench, mine, damage, cause):
    damage(mine)
    one = bench(Settings(models={"depth": "mine", "landmarks": "face_mesh_468"})).begin("demo")
    one.engine.fail(f"/data/models/mine.onnx: {cause}")
    one.qtbot.waitUntil(lambda: len(one.engine.started) == 2)
    assert one.engine.started[-1][2].models == {"landmarks": "face_mesh_468"}
    assert one.controller.settings.models == {"landmarks": "face_mesh_468"}
    one.qtbot.waitUntil(lambda: cause in one.window.message_bar.text.lower())
    assert one.window.message_bar.text.endswith("The usual model runs instead.")


def test_a_failure_for_another_reason_keeps_the_choice_and_reads_no_model(bench, mine, monkeypatch):
    read = []
    monkeypatch.setattr("app.troubles.lost_models", lambda chosen: read.append(chosen) or {})
    one = bench(Settings(models={"depth": "mine"})).begin("clip.mp4")
    one.engine.fail("clip.mp4 is empty")
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    one.controller._jobs.close(2.0)
    one.qtbot.wait(1)
    assert one.controller.settings.models == {"depth": "mine"}
    assert len(one.engine.started) == 1
    assert not read


def test_the_pipeline_names_a_model_that_is_lost(mine):
    """What the window goes by: the name stands in the sentence."""
    for damage in (lambda path: path.write_bytes(b"other"), lambda path: path.unlink()):
        damage(next(mine.glob("*.onnx")))
        with pytest.raises(ModelError, match="mine"):
            Pipeline(PipelineConfig(tasks=("depth",), models={"depth": "mine"}))
