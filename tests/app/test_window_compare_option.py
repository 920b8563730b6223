"""`twinlens --compare A,B`: the window opens with a comparison, or says what is wrong with the wish."""

import pytest

import app.window
from app.__main__ import main, parse_arguments
from pipelines.errors import ConfigError


def test_the_window_gets_both_pipelines(monkeypatch):
    seen = []
    monkeypatch.setattr(app.window, "run_window", lambda args: seen.append(args) or 0)
    assert main(["--source", "demo", "--compare", "ort-cpu, litert-cpu"]) == 0
    assert seen[0].compare == ("ort-cpu", "litert-cpu")
    assert main([]) == 0
    assert seen[1].compare is None


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--compare", "ort-cpu"], "does not name two different pipelines"),
        (["--compare", "cpu,cpu"], "does not name two different pipelines"),
        (["--compare", "cpu,gpu", "--pipeline", "cpu"], "leave out --pipeline"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(options, told, capsys):
    with pytest.raises(SystemExit) as status:
        parse_arguments(options)
    assert status.value.code == 2
    assert told in capsys.readouterr().err


def test_the_settings_ask_for_the_comparison(monkeypatch, tmp_path):
    """As far as the window: what it is opened with."""
    import app.head_start
    import app.settings

    begun = []

    def stop(config):
        begun.append(config)
        raise ConfigError("far enough")

    kept = []
    replace = app.window.replace
    monkeypatch.setattr(app.window, "replace", lambda *args, **more: kept.append(replace(*args, **more)) or kept[-1])
    monkeypatch.setattr(app.window, "check_display", lambda: None)
    monkeypatch.setattr(app.settings, "default_path", lambda: tmp_path / "settings.json")
    monkeypatch.setattr(app.head_start, "HeadStart", stop)
    with pytest.raises(ConfigError):
        app.window.run_window(parse_arguments(["--source", "demo", "--compare", "ort-cpu,litert-cpu"]))
    assert (kept[-1].compare, kept[-1].pipeline, kept[-1].pipeline_b) == ("split", "ort-cpu", "litert-cpu")
    assert begun[0].pipeline == "ort-cpu"
