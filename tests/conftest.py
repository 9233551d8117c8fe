"""Settings for all tests. The file's place makes `tests/support` importable from every test."""

from hypothesis import settings

# No test is timed: an example that takes long on a busy machine is no failure. The same examples every time.
settings.register_profile("ours", deadline=None, derandomize=True)
settings.load_profile("ours")
