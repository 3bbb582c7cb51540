"""Speed and memory: `python -m benchmarks`."""
