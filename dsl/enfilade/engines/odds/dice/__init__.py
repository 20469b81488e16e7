"""The arithmetic of dice pools: convolution, order statistics (keep highest), and multisets of faces."""
