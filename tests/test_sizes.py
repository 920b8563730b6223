"""The table of dependencies and the sizes printed for it."""

import re
import tomllib
from pathlib import Path

from tools.sizes import main, named, size_mb

ROOT = Path(__file__).resolve().parents[1]


def test_every_dependency_is_in_the_table():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.match(r"[\w-]+", line)[0].lower() for line in project["dependencies"]}
    assert "numpy" in wanted
    assert wanted <= {name.lower() for name in named()}


def test_sizes_are_those_of_the_files(capsys):
    assert 20 < size_mb("numpy") < 200
    assert size_mb("no-such-package") is None
    main()
    assert re.search(r"^rich: \d\.\d MB$", capsys.readouterr().out, re.MULTILINE)
