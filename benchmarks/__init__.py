"""Measurements that anyone can repeat: `python -m benchmarks` or `make bench`.

Every figure is a median of alternating rounds taken in one run on one machine; ratios are comparable, absolute figures
belong to the machine they were taken on.
"""
