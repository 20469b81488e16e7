"""Exact odds beside icepool, dyce and hand-written dynamic programmes: the same questions, the same fractions."""
