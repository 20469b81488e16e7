"""Scripts of maintainers: build the package, and release it."""
