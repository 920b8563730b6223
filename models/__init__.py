"""What the networks need and return: weights with their manifests, geometry, and the results they lead to."""

import os

# ONNX Runtime (since its builds for Linux have that) gives the machine a number, notes what is run, and sends it to its
# maker, from the moment it is imported. Nothing leaves the machine here: this is read before anything else is done.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
