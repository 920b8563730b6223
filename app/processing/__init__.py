"""The window that processes files: a queue in this process, the work in another one (`child`)."""
