"""Measurements of Enfilade beside what it is compared with; not installed, not part of the library."""
