"""The folders of the shipped rulesets and the standard library.

The folders do not depend on the working directory. This module reads no files.
"""

from pathlib import Path
from typing import Literal

from enfilade.door import door

_PACKAGE = Path(__file__).resolve().parent.parent


def shipped_dir(kind: Literal["rulesets", "stdlib"], *, package: Path = _PACKAGE) -> Path:
    """Find a folder that is shipped with the package.

    An installed package contains the folder. In a checkout, and so in an editable install, it is beside ``dsl``.

    Args:
        kind: Which folder.
        package: The folder of the package ``enfilade``.

    Returns:
        The folder.

    Raises:
        FileNotFoundError: The installation is damaged.

    Examples:
        >>> shipped_dir("stdlib").name
        'stdlib'
    """
    for place in (package / kind, *_checkout_places(package, kind)):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"this installation of Enfilade lacks its folder {kind!r}; install it again")


def _checkout_places(package: Path, kind: str) -> tuple[Path, ...]:
    # Two folders above an installed package there may be somebody else's `stdlib`, so make sure it is a checkout.
    checkout = package.parent.parent
    return (checkout / kind,) if package == checkout / "dsl" / "enfilade" else ()


@door
def is_of_library(path: Path | None) -> bool:
    """Whether a file is a module of the standard library."""
    return path is not None and path.parent == shipped_dir("stdlib")
