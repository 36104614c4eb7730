"""How many examples the laws are tried on: few while one works, more in `make test`."""

from hypothesis import settings

settings.register_profile("fast", max_examples=15, deadline=None)
settings.register_profile("thorough", max_examples=100, deadline=None)
settings.load_profile("fast")
