"""An approximate call graph of the library and the REPL, read from their text.

A function uses what it names: a call and a function that is passed on count alike. Names are looked up as Python does. The
class of ``x`` in ``x.method`` comes from annotations of parameters, fields and results; where it is unknown, ``method`` stands
for all methods of that name in the modules that the module imports, directly or not.

Missing are calls that Python makes by itself (``__eq__``, ``__str__``), functions called through a parameter or a table, and
generated code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Final

from attrs import define, field
from tests.architecture.imports import MODULES, import_statements, target

Function = tuple[str, str]
"""A module and the qualified name of a function, or of a class, within it."""

_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_MADE: Final = ("__init__", "__attrs_post_init__", "__new__", "__post_init__")
_PLAIN: Final = {
    "str", "int", "bool", "float", "bytes", "dict", "list", "tuple", "set", "frozenset", "Mapping", "Sequence", "Iterable", "Iterator",
    "Callable", "Fraction", "Path", "Counter", "Span", "object", "ast", "Token", "Tree", "type",
}  # fmt: skip
PLAIN: Final[Function] = ("", "")
"""A class that is none of ours."""


@define
class Module:
    """The names of a module.

    Attributes:
        functions: Its functions by qualified name.
        classes: Its classes.
        imported: Where each imported name comes from: a module and a name, which is empty for a module.
        targets: The modules that it imports.
        tables: The values of its variables.
        calls: All calls, of which some make objects.
    """

    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = field(factory=dict)
    classes: dict[str, ast.ClassDef] = field(factory=dict)
    imported: dict[str, Function] = field(factory=dict)
    targets: set[str] = field(factory=set)
    tables: dict[str, ast.AST] = field(factory=dict)
    calls: list[ast.Call] = field(factory=list)


def read_text(name: str, text: str, path: Path = Path("module.py")) -> Module:
    """The names of a module.

    Args:
        name: The name of the module.
        text: Its text.
        path: Its file.
    """
    tree, found = ast.parse(text), Module()
    _collect(tree, "", found)
    for _, base, imported in import_statements(name, tree, path):
        found.targets.add(target(base, imported) if imported else base)
    for top in tree.body:
        if isinstance(top, (ast.Assign, ast.AnnAssign)) and top.value is not None:
            named = top.targets[0] if isinstance(top, ast.Assign) else top.target
            found.tables[ast.unparse(named)] = top.value
    found.calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and (node.args or node.keywords)]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            found.imported.update({each.asname or each.name: (node.module or "", each.name) for each in node.names})
        elif isinstance(node, ast.Import):
            found.imported.update({each.asname or each.name: (each.name, "") for each in node.names})
    return found


def _collect(node: ast.AST, prefix: str, found: Module) -> None:
    for child in ast.iter_child_nodes(node):
        inner = prefix
        if isinstance(child, _DEFINITIONS):
            found.functions[prefix + child.name] = child
            inner = f"{prefix}{child.name}."
        elif isinstance(child, ast.ClassDef):
            found.classes[prefix + child.name] = child
            inner = f"{prefix}{child.name}."
        _collect(child, inner, found)


class CallGraph:
    """The functions of the library, and which function names which.

    Args:
        modules: The modules by name.
    """

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self.modules = modules

    @cached_property
    def edges(self) -> dict[Function, set[Function]]:
        """For each function those that it names."""
        return {
            (module, path): set(self._used(module, path))
            for module, names in self.modules.items()
            for path in names.functions
        }

    # -- names

    def _resolved(self, module: str, scope: str, dotted: str) -> Function | None:
        """The function or class that a dotted name means within a scope."""
        first, _, rest = dotted.partition(".")
        names = self.modules[module]
        while scope:
            if scope not in names.classes and self._is_named(module, f"{scope}.{first}"):
                return self._inner((module, f"{scope}.{first}"), rest)
            scope = scope.rpartition(".")[0]
        return self._imported(module, first, rest)

    def _imported(self, module: str, first: str, rest: str) -> Function | None:
        seen: set[Function] = set()
        while (module, first) not in seen and module in self.modules:
            seen.add((module, first))
            if self._is_named(module, first):
                return self._inner((module, first), rest)
            module, first = self.modules[module].imported.get(first, ("", ""))
            if not first or f"{module}.{first}" in self.modules:
                module = f"{module}.{first}".rstrip(".")
                first, _, rest = rest.partition(".")
        return None

    def _is_named(self, module: str, path: str) -> bool:
        names = self.modules[module]
        return path in names.functions or path in names.classes or path in names.tables

    def _inner(self, found: Function, rest: str) -> Function | None:
        return (found[0], f"{found[1]}.{rest}") if rest else found

    # -- classes

    @cached_property
    def _bases(self) -> dict[Function, list[Function]]:
        return {
            (module, path): [
                found
                for base in node.bases
                if (found := self._resolved(module, path.rpartition(".")[0], ast.unparse(base).partition("[")[0]))
            ]
            for module, names in self.modules.items()
            for path, node in names.classes.items()
        }

    @cached_property
    def _heirs(self) -> dict[Function, list[Function]]:
        heirs: dict[Function, list[Function]] = {}
        for heir, bases in self._bases.items():
            for base in bases:
                heirs.setdefault(base, []).append(heir)
        return heirs

    def _members(self, owner: Function, name: str) -> Iterator[Function]:
        """The methods that ``owner.name`` may run: that of the class or of a base, and those of heirs."""
        up = [owner]
        while up:
            each = up.pop()
            if each[0] in self.modules and f"{each[1]}.{name}" in self.modules[each[0]].functions:
                yield each[0], f"{each[1]}.{name}"
                break
            held = self._held.get((each[0], f"{each[1]}.{name}")) or self._held.get(
                (each[0], f"{each[1]}.{name.lstrip('_')}")
            )
            if held:
                yield from held
                break
            up += self._bases.get(each, [])
        down = list(self._heirs.get(owner, []))
        while down:
            each = down.pop()
            if f"{each[1]}.{name}" in self.modules[each[0]].functions:
                yield each[0], f"{each[1]}.{name}"
            down += self._heirs.get(each, [])

    @cached_property
    def _methods(self) -> dict[str, set[Function]]:
        methods: dict[str, set[Function]] = {}
        for module, names in self.modules.items():
            for path in names.functions:
                owner, _, name = path.rpartition(".")
                if owner in names.classes:
                    methods.setdefault(name, set()).add((module, path))
        return methods

    @cached_property
    def _within_reach(self) -> dict[str, set[str]]:
        """The modules that each module imports, directly or not, and itself."""
        found: dict[str, set[str]] = {}
        for module in self.modules:
            seen, waiting = {module}, [module]
            while waiting:
                following = self.modules[waiting.pop()].targets & self.modules.keys() - seen
                seen |= following
                waiting += following
            found[module] = seen
        return found

    # -- what a function uses

    def _used(self, module: str, path: str) -> Iterator[Function]:
        known = _Types(self, module, path)
        for node in _own_nodes(self.modules[module].functions[path]):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in known.names:
                yield from self._entries(self._resolved(module, path, node.id))
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                yield from self._attribute(module, path, node, known)

    def _entries(self, found: Function | None) -> Iterator[Function]:
        """What a use of a function or a class runs."""
        if found is None or found[0] not in self.modules:
            return
        module, path = found
        if path in self.modules[module].functions:
            yield found
        elif path in self.modules[module].classes:
            for name in _MADE:
                yield from self._members(found, name)
        elif path in self.modules[module].tables:
            yield from self._in_table(found)

    def _in_table(self, found: Function) -> Iterator[Function]:
        """The functions that a variable of a module holds."""
        module, path = found
        for node in ast.walk(self.modules[module].tables[path]):
            if isinstance(node, ast.Name) and node.id != path:
                held = self._resolved(module, "", node.id)
                if held is not None and held[0] in self.modules and held[1] in self.modules[held[0]].functions:
                    yield held

    @cached_property
    def _held(self) -> dict[Function, set[Function]]:
        """For each field of a class the functions that it is made with."""
        held: dict[Function, set[Function]] = {}
        for module, names in self.modules.items():
            for call in names.calls:
                made = self._resolved(module, "", ast.unparse(call.func)) if isinstance(call.func, ast.Name) else None
                if made is None or not self._is_class(made):
                    continue
                fields = self._fields(made)
                given = [
                    *zip(fields, call.args, strict=False),
                    *((each.arg or "", each.value) for each in call.keywords),
                ]
                for name, value in given:
                    function = (
                        self._resolved(module, "", ast.unparse(value))
                        if isinstance(value, (ast.Name, ast.Attribute))
                        else None
                    )
                    if (
                        function is not None
                        and function[0] in self.modules
                        and function[1] in self.modules[function[0]].functions
                    ):
                        held.setdefault((made[0], f"{made[1]}.{name}"), set()).add(function)
        return held

    def _fields(self, owner: Function) -> list[str]:
        """The parameters of a class, in order."""
        names = self.modules[owner[0]]
        made = names.functions.get(f"{owner[1]}.__init__")
        if made is not None:
            return [each.arg for each in made.args.args[1:]]
        return [
            each.target.id
            for each in names.classes[owner[1]].body
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        ]

    def _attribute(self, module: str, path: str, node: ast.Attribute, known: _Types) -> Iterator[Function]:
        if ast.unparse(node.value) == "super()":
            for base in self._bases.get((module, path.rpartition(".")[0]), []):
                yield from islice(self._members(base, node.attr), 1)
            return
        direct = self._resolved(module, path, ast.unparse(node)) if _is_dotted(node, known) else None
        if direct is not None:
            owner = (direct[0], direct[1].rpartition(".")[0])
            yield from self._members(owner, node.attr) if self._is_class(owner) else self._entries(direct)
            return
        owner_class = known.of(node.value)
        if owner_class is not None:
            yield from self._members(owner_class, node.attr)
        elif not _is_dotted(node, known) or _head(node) not in self.modules[module].imported:
            within = self._within_reach[module]
            yield from (each for each in self._methods.get(node.attr, ()) if each[0] in within)

    def _is_class(self, found: Function) -> bool:
        return found[0] in self.modules and found[1] in self.modules[found[0]].classes


class _Types:
    """The classes of expressions within a function, as far as annotations say."""

    def __init__(self, graph: CallGraph, module: str, path: str) -> None:
        self.graph, self.module, self.path = graph, module, path
        self.names: dict[str, Function | None] = {}
        parts = path.split(".")
        for count in range(1, len(parts) + 1):
            outer = ".".join(parts[:count])
            if outer in graph.modules[module].functions:
                self._read(outer)

    def _read(self, path: str) -> None:
        node = self.graph.modules[self.module].functions[path]
        owner = path.rpartition(".")[0]
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        if owner in self.graph.modules[self.module].classes and arguments:
            self.names[arguments[0].arg] = (self.module, owner)
            arguments = arguments[1:]
        for each in arguments:
            self.names[each.arg] = self._named(each.annotation, path)
            self.names[f"items of {each.arg}"] = self._named(each.annotation, path, inside=True)
        loops: list[ast.For | ast.comprehension] = []
        for inner in _own_nodes(node):
            if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
                self.names[inner.target.id] = self._named(inner.annotation, path)
            elif isinstance(inner, (ast.For, ast.comprehension)):
                self.names.update({name.id: None for name in ast.walk(inner.target) if isinstance(name, ast.Name)})
                loops.append(inner)
            elif isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Name):
                self.names.setdefault(inner.targets[0].id, None)
        for loop in loops:
            if isinstance(loop.target, ast.Name):
                self.names[loop.target.id] = self.of(loop.iter, inside=True)
        for inner in _own_nodes(node):
            if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Name):
                name = inner.targets[0].id
                if self.names.get(name) is None:
                    self.names[name] = self.of(inner.value)

    def of(self, node: ast.AST, *, inside: bool = False) -> Function | None:
        """The class of an expression, or of its items; ``PLAIN`` if it is none of ours, and ``None`` if it is unknown."""
        match node:
            case ast.Name():
                return self.names.get(f"items of {node.id}" if inside else node.id)
            case ast.Attribute():
                return self._field(self.of(node.value), node.attr, inside=inside)
            case ast.Call():
                return self._result(node.func, inside=inside)
            case _ if inside:
                return None
            case ast.Constant() | ast.JoinedStr() | ast.Dict() | ast.List() | ast.Set() | ast.Tuple():
                return PLAIN
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp() | ast.Compare():
                return PLAIN
            case _:
                return None

    def _field(self, owner: Function | None, name: str, *, inside: bool = False) -> Function | None:
        waiting = [owner] if owner is not None else []
        while waiting:
            module, path = waiting.pop()
            if module not in self.graph.modules:
                return PLAIN if (module, path) == PLAIN else None
            node = self.graph.modules[module].classes.get(path)
            for each in node.body if node is not None else []:
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.target.id == name:
                    return self._named(each.annotation, path, module, inside=inside)
                if isinstance(each, _DEFINITIONS) and each.name == name:
                    return self._named(each.returns, path, module, inside=inside)
            made = self.graph.modules[module].functions.get(f"{path}.__init__")
            if made is not None and (found := self._given(made, name)) is not None:
                return self._named(found, f"{path}.__init__", module, inside=inside)
            waiting += self.graph._bases.get((module, path), [])
        return None

    @staticmethod
    def _given(made: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> ast.AST | None:
        """The annotation of the parameter of ``__init__`` that is kept under a name."""
        parameters = {each.arg: each.annotation for each in (*made.args.args, *made.args.kwonlyargs)}
        for node in _own_nodes(made):
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == f"self.{name}":
                return node.annotation
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Name)
                and f"self.{name}" in {ast.unparse(each) for each in node.targets}
            ):
                return parameters.get(node.value.id)
        return None

    def _result(self, function: ast.AST, *, inside: bool = False) -> Function | None:
        if isinstance(function, ast.Attribute):
            owner = self.of(function.value)
            if owner is not None:
                return self._field(owner, function.attr, inside=inside)
        if not _is_dotted(function, self):
            return None
        text = ast.unparse(function)
        if text in _PLAIN | {"sorted", "len", "sum", "min", "max", "repr", "format"}:
            return PLAIN
        found = self.graph._resolved(self.module, self.path, text)
        if found is None or found[0] not in self.graph.modules:
            return None
        names = self.graph.modules[found[0]]
        if found[1] in names.classes:
            return found
        node = names.functions.get(found[1])
        return self._named(node.returns, found[1], found[0], inside=inside) if node is not None else None

    def _named(
        self, annotation: ast.AST | None, path: str, module: str = "", *, inside: bool = False
    ) -> Function | None:
        """The class that an annotation names, or that of its items."""
        if inside:
            annotation = _item(annotation)
        if annotation is None:
            return None
        module = module or self.module
        text = ast.unparse(annotation).strip("'\"").removesuffix(" | None")
        parts = [part.strip().partition("[")[0] for part in (text.split("|") if "[" not in text else [text])]
        found = {self.graph._resolved(module, path, part) or (PLAIN if part in _PLAIN else None) for part in parts}
        found.discard(PLAIN if len(found) > 1 else None)
        only = found.pop() if len(found) == 1 else None
        return only if only == PLAIN or (only is not None and self.graph._is_class(only)) else None


def _item(annotation: ast.AST | None) -> ast.AST | None:
    """The annotation of the items of a list, a tuple of any length or the like."""
    if not isinstance(annotation, ast.Subscript) or ast.unparse(annotation.value) in ("dict", "Mapping", "Callable"):
        return None
    inner = annotation.slice
    return inner.elts[0] if isinstance(inner, ast.Tuple) else inner


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function's body, without annotations and the bodies of functions within it."""
    waiting: list[ast.AST] = [*getattr(node, "body", []), *node.args.defaults, *filter(None, node.args.kw_defaults)]  # type: ignore[attr-defined]
    while waiting:
        each = waiting.pop()
        yield each
        if isinstance(each, ast.AnnAssign):
            waiting += [each.value] if each.value else []
        elif not isinstance(each, (*_DEFINITIONS, ast.ClassDef)):
            waiting += ast.iter_child_nodes(each)


def _is_dotted(node: ast.AST, known: _Types) -> bool:
    """Whether an expression is a name with attributes, and the name is none of a local."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id not in known.names


def _head(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def call_graph(names: Iterable[str] = tuple(MODULES)) -> dict[Function, set[Function]]:
    """The graph of the library and the REPL."""
    return CallGraph(
        {name: read_text(name, MODULES[name].read_text(encoding="utf-8"), MODULES[name]) for name in names}
    ).edges
