"""Offline processing: every frame of a file, in order, into files that are complete or absent."""
