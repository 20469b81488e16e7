"""``enfilade explain``: the page of a diagnostic code, or the list of codes."""

from __future__ import annotations

from argparse import Namespace

from enfilade import UsageError
from enfilade.language import CODES, nearest, page_for


def run_explain(args: Namespace) -> int:
    """Print the page of a diagnostic code, or the list of codes."""
    if args.code is None:
        width = max(map(len, CODES))
        print("\n".join(f"{code:<{width}}  {title}" for code, title in CODES.items()))
        return 0
    page = page_for(args.code)
    if page is None:
        close = nearest(args.code, CODES)
        meant = f"; did you mean {close}?" if close else "; `enfilade explain` lists the codes"
        raise UsageError(f"there is no diagnostic {args.code}{meant}")
    print(page.rstrip())
    return 0
