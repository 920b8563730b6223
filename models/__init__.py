"""What the networks need and return: weights with their manifests, geometry, and the results they lead to."""
