"""What MediaPipe's own Python solutions find, as reference data for the tests.

Runs in an environment of its own (Python 3.11, ``pip install mediapipe==0.10.21``), for it is no dependency:

    python -m benchmarks.face_pictures FOLDER                                   # in the project's environment
    python benchmarks/mediapipe_reference.py face FOLDER tests/data/mediapipe_face.json     # in the other one

The face file holds, for each picture and each mesh ("478", "468"), a list of faces, each a list of x, y, z in
pixels, in 1/100 px; the sequence was tracked with one face at most.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import mediapipe as mp
import numpy as np

TRACKED_EVERY = 4
"""Of the sequence, every so many frames are kept, to keep the file small; all of them are tracked."""


def face_landmarks(solution: mp.solutions.face_mesh.FaceMesh, path: Path) -> list[list[int]]:
    """Return x, y, z of all landmarks of each face in a picture, in 1/100 px, one flat list a face."""
    image = cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB)
    height, width = image.shape[:2]
    found = solution.process(image).multi_face_landmarks or []
    # z is in the unit of x: a share of the width.
    scale = 100 * np.array([width, height, width])
    points = [np.array([(p.x, p.y, p.z) for p in face.landmark]) * scale for face in found]
    return [np.rint(face).astype(int).ravel().tolist() for face in points]


def face_reference(folder: Path) -> dict[str, dict[str, list[list[int]]]]:
    """Return the landmarks of all pictures in `folder`, by mesh and picture."""
    reference: dict[str, dict[str, list[list[int]]]] = {}
    paths = sorted(folder.glob("*.png"))
    for mesh, refine in (("478", True), ("468", False)):
        found = reference.setdefault(mesh, {})
        options = {"refine_landmarks": refine, "min_detection_confidence": 0.5, "min_tracking_confidence": 0.5}
        with mp.solutions.face_mesh.FaceMesh(static_image_mode=True, max_num_faces=2, **options) as solution:
            for path in paths:
                if not path.stem.startswith("sequence_"):
                    found[path.stem] = face_landmarks(solution, path)
        with mp.solutions.face_mesh.FaceMesh(static_image_mode=False, max_num_faces=1, **options) as solution:
            for index, path in enumerate(item for item in paths if item.stem.startswith("sequence_")):
                points = face_landmarks(solution, path)
                if index % TRACKED_EVERY == 0:
                    found[path.stem] = points
    return reference


REFERENCES = {"face": face_reference}


def main() -> None:
    """Write the reference data that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=sorted(REFERENCES))
    parser.add_argument("folder", type=Path, help="PNG files")
    parser.add_argument("output", type=Path, help="JSON file to write")
    arguments = parser.parse_args()
    document = {"mediapipe": mp.__version__, "opencv": cv2.__version__} | REFERENCES[arguments.what](arguments.folder)
    arguments.output.write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
