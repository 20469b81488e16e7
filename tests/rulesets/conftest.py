"""The ruleset that a file of tests is about."""

import pytest

import enfilade


@pytest.fixture(scope="module")
def rules(request: pytest.FixtureRequest) -> enfilade.Ruleset:
    """The shipped ruleset that the file is named after."""
    return enfilade.load(request.path.stem.removeprefix("test_"))
