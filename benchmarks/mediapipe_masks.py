"""What MediaPipe's own segmentation solution finds, as reference data for the tests.

Runs in an environment of its own (Python 3.11, ``pip install mediapipe==0.10.21``), for it is no dependency:

    python -m benchmarks.mask_pictures FOLDER                                     # in the project's environment
    python benchmarks/mediapipe_masks.py FOLDER tests/data/mediapipe_masks.npz    # in the other one

The file holds, for each network and picture, the pixels whose confidence is above one half: "selfie_square/original"
and so on, packed eight to a byte, rows one after the other; the sizes are those of the pictures.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import mediapipe as mp
import numpy as np

NETWORKS = {"selfie_square": 0, "selfie_landscape": 1}
"""MediaPipe's `model_selection` by our names."""


def masks(folder: Path) -> dict[str, np.ndarray]:
    """Return the packed masks of all PNG files in `folder`."""
    found = {}
    for network, selection in NETWORKS.items():
        for path in sorted(folder.glob("*.png")):
            # One solution a picture: it smooths over time.
            with mp.solutions.selfie_segmentation.SelfieSegmentation(model_selection=selection) as solution:
                result = solution.process(cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB))
            found[f"{network}/{path.stem}"] = np.packbits(result.segmentation_mask > 0.5)
    return found


def main() -> None:
    """Write the reference data."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="PNG files")
    parser.add_argument("output", type=Path, help="NPZ file to write")
    arguments = parser.parse_args()
    np.savez_compressed(arguments.output, **masks(arguments.folder))


if __name__ == "__main__":
    main()
