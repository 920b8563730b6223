"""How frames become results: sources, tasks, backends, engines, overlays and files. Knows nothing of Qt."""
