"""Chosen models that are gone or damaged since: the window goes on with the usual ones."""

from __future__ import annotations

from collections.abc import Mapping

from models.errors import ModelError
from models.manifest import load_manifest


def lost_models(chosen: Mapping[str, str]) -> dict[str, str]:
    """Return what is wrong with chosen models, by role; those that are well are not in it.

    Reads every file of the models: not in the GUI thread.

    Parameters
    ----------
    chosen : mapping of str to str
        Role to model name, of those that may be lost.
    """
    lost = {}
    for role, name in chosen.items():
        try:
            manifest = load_manifest(name)
            if manifest.role != role:
                raise ModelError(f"the model {name} is for {manifest.role} now, not for {role}")
            for path in {item.path: item for item in manifest.files}.values():
                path.read_verified()
        except ModelError as error:
            lost[role] = str(error)
    return lost
