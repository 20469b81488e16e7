"""Where the rulesets and the standard library that come with Enfilade are.

For the loader. It must not read or list the files, and it must not look anywhere that depends on the working
directory.
"""

from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).resolve().parent.parent


def shipped_dir(kind: Literal["rulesets", "stdlib"], *, package: Path = _PACKAGE) -> Path:
    """Find a folder that is shipped with the package.

    An installed package holds the folder itself; in a checkout, which an editable install uses too, the
    folder stands at the top beside ``dsl``.

    Args:
        kind: Which folder.
        package: The folder of the package ``enfilade``.

    Returns:
        The folder.

    Raises:
        FileNotFoundError: The installation is damaged: neither place has the folder.

    Examples:
        >>> shipped_dir("stdlib").name
        'stdlib'
    """
    for place in (package / kind, *_checkout_places(package, kind)):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"this installation of Enfilade lacks its folder {kind!r}; install it again")


def _checkout_places(package: Path, kind: str) -> tuple[Path, ...]:
    # Two folders above an installed package lies somebody else's `stdlib`, so the checkout must be
    # recognisable.
    checkout = package.parent.parent
    return (checkout / kind,) if package == checkout / "dsl" / "enfilade" else ()


def is_of_library(path: Path | None) -> bool:
    """Whether a file is a module of the standard library."""
    return path is not None and path.parent == shipped_dir("stdlib")
