"""The decorator of nodes: what attrs makes for a frozen class, made once for all classes."""

import copy
import pickle

import pytest
from attrs import evolve, field, fields, frozen
from attrs.exceptions import FrozenInstanceError

from enfilade.node import node


@node
class Leaf:
    """A node."""

    name: str
    items: tuple[int, ...] = ()
    span: int | None = field(default=None, eq=False, repr=False)


@frozen
class Plain:
    """The same by attrs alone."""

    name: str
    items: tuple[int, ...] = ()
    span: int | None = field(default=None, eq=False, repr=False)


@node
class Empty:
    """A node without fields."""


@node
class Other:
    """A node with the fields of another."""

    name: str


def test_nodes_are_equal_if_their_fields_are_but_for_those_left_out() -> None:
    assert Leaf("a", span=1) == Leaf("a", span=2)
    assert hash(Leaf("a", span=1)) == hash(Leaf("a", span=2))
    assert Leaf("a") != Leaf("b")
    assert Leaf("a", (1,)) != Leaf("a")


@pytest.mark.parametrize("stranger", [Other("a"), Plain("a"), "a", None])
def test_nodes_of_two_classes_are_never_equal(stranger: object) -> None:
    assert Leaf("a") != stranger


def test_a_node_without_fields_equals_its_like() -> None:
    assert Empty() == Empty()
    assert hash(Empty()) == hash(Empty())
    assert repr(Empty()) == "Empty()"


def test_a_node_is_shown_as_attrs_shows_it() -> None:
    assert repr(Leaf("a", (1, 2), 3)) == repr(Plain("a", (1, 2), 3)).replace("Plain", "Leaf")


def test_a_node_is_frozen_and_has_slots() -> None:
    leaf = Leaf("a")
    with pytest.raises(FrozenInstanceError):
        leaf.name = "b"  # type: ignore[misc]
    assert not hasattr(leaf, "__dict__")


def test_a_node_is_an_attrs_class() -> None:
    assert [each.name for each in fields(Leaf)] == ["name", "items", "span"]
    assert evolve(Leaf("a"), items=(1,)) == Leaf("a", (1,))
    match Leaf("a", (1,)):
        case Leaf(name, items):
            assert (name, items) == ("a", (1,))


def test_a_node_can_be_copied_and_pickled() -> None:
    leaf = Leaf("a", (1,), 7)
    for again in (copy.deepcopy(leaf), pickle.loads(pickle.dumps(leaf))):
        assert (again, again.span) == (leaf, 7)
