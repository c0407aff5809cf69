"""Draw the computation graph of one iteration, from the source of `atgvnet.solver.unrolled.iterate` itself.

    .venv/bin/python tools/solver_graph.py       writes docs/figures/solver-graph.svg

Each operation of the loop's body is a box, in the row of its statement and to the right of all that it needs. A test
draws it again and compares, so that the figure cannot lag behind the code.
"""

import ast
import inspect
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from atgvnet.solver import unrolled

__all__ = ["FIGURE", "draw"]

FIGURE = Path(__file__).parents[1] / "docs" / "figures" / "solver-graph.svg"
SYMBOLS = {
    "gradient": "∇",
    "vector_gradient": "∇",
    "divergence": "div",
    "vector_divergence": "div",
    "project": "proj",
    "apply": "T ·",
    "u_bar": "ū",
    "v_bar": "v̄",
    "weight": "ω",
    "Tp": "T p",
    "data": "τu λ ω",
}
SIGNS = {ast.Add: "+", ast.Sub: "−", ast.Mult: "·", ast.Div: "/"}
WIDE, HIGH, BOX, TALL, ARC = 92, 40, 66, 22, 28
INK, LINE, FILL, GIVEN = "#222", "#8a94a6", "#eef3fb", "#fbf3e4"


@dataclass(eq=False)
class Node:
    """A box: what it says, what it is made of, its column, and the statement that it belongs to."""

    label: str
    parents: list["Node"] = field(default_factory=list)
    column: int = 0
    statement: int = -1
    defines: list[str] = field(default_factory=list)


class Graph:
    """The boxes of a loop's body, in the order in which they are computed."""

    def __init__(self, body: list[ast.stmt], products: dict[str, str]) -> None:
        self.products, self.nodes, self.names = products, list[Node](), dict[str, Node]()
        self.statement = -1
        for statement in body:
            if isinstance(statement, ast.Assign) and not _unpacks(statement):
                self.statement += 1
                self._assign(statement)

    def _assign(self, statement: ast.Assign) -> None:
        target, value = statement.targets[0], statement.value
        pairs = zip(target.elts, value.elts, strict=True) if isinstance(target, ast.Tuple) else [(target, value)]
        for name, node in [(ast.unparse(one), self._of(other)) for one, other in pairs]:
            self.names[name] = node
            node.defines.append(SYMBOLS.get(name, name))

    def _of(self, expression: ast.expr) -> Node:
        match expression:
            case ast.Name(id=name):
                return self.names.get(name) or self._given(name)
            case ast.Call(func=function, args=arguments):
                return self._box(SYMBOLS[ast.unparse(function)], [self._of(one) for one in arguments])
            case ast.BinOp(left=left, op=sign, right=right):
                scalar = self._scalar(left)
                label = f"{scalar} {SIGNS[type(sign)]}" if scalar else SIGNS[type(sign)]
                return self._box(label, [self._of(one) for one in ([right] if scalar else [left, right])])
        raise ValueError(f"solver_graph: cannot draw {ast.unparse(expression)}; add it to Graph._of")

    def _scalar(self, expression: ast.expr) -> str:
        match expression:
            case ast.Attribute(attr=name):
                return self.products[name]
            case ast.Constant(value=value):
                return str(value)
        return ""

    def _given(self, name: str) -> Node:
        node = Node(SYMBOLS.get(name, name), statement=self.statement)
        self.names[name] = node
        self.nodes.append(node)
        return node

    def _box(self, label: str, parents: list[Node]) -> Node:
        node = Node(label, parents, 1 + max(one.column for one in parents), self.statement)
        self.nodes.append(node)
        return node


def _unpacks(statement: ast.Assign) -> bool:
    """Tell whether a statement only names the parameters."""
    return isinstance(statement.value, ast.Call) and ast.unparse(statement.value.func) == "Step"


def _products() -> dict[str, str]:
    """Give what each field of `Step` stands for: the string below it."""
    (definition,) = ast.parse(inspect.getsource(unrolled.Step)).body
    assert isinstance(definition, ast.ClassDef)
    body = definition.body[1:]
    return {
        ast.unparse(name.target): ast.literal_eval(text.value)
        for name, text in zip(body[::2], body[1::2], strict=True)
        if isinstance(name, ast.AnnAssign) and isinstance(text, ast.Expr)
    }


def _rows(nodes: list[Node]) -> dict[Node, int]:
    """Place the boxes: of each statement first what is given, then as many rows as its fullest column has boxes."""
    rows: dict[Node, int] = {}
    top = 0
    for statement in range(1 + max(node.statement for node in nodes)):
        own = [node for node in nodes if node.statement == statement]
        given = sum(not node.parents for node in own)
        filled: dict[int, int] = {}
        for node in own:
            rows[node] = top + filled.get(node.column, given if node.parents else 0)
            filled[node.column] = rows[node] - top + 1
        top += max(filled.values(), default=0)
    return rows


def _svg(nodes: list[Node]) -> str:
    rows = _rows(nodes)
    width = WIDE * (2 + max(node.column for node in nodes))
    height = HIGH * (2 + max(rows.values()))
    place = {node: (12 + WIDE * node.column, 20 + HIGH * rows[node]) for node in nodes}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for node, (x, y) in place.items():
        curves = (_curve(place[parent], (x, y)) for parent in node.parents)
        parts.extend(f'<path d="{curve}" fill="none" stroke="{LINE}"/>' for curve in curves)
    for node, (x, y) in place.items():
        fill = FILL if node.parents else GIVEN
        parts.append(f'<rect x="{x}" y="{y}" width="{BOX}" height="{TALL}" rx="5" fill="{fill}" stroke="{INK}"/>')
        parts.append(_text(x + BOX / 2, y + 15, node.label, "middle", 11))
        if node.parents and node.defines:
            parts.append(_text(x + BOX + 3, y + 3, ", ".join(dict.fromkeys(node.defines)), "start", 12, bold=True))
    return "\n".join([*parts, "</svg>", ""])


def _curve(start: tuple[int, int], end: tuple[int, int]) -> str:
    """Lead into the next box from its left; into one farther off from above or below, past those between."""
    x, y, (to_x, to_y) = start[0] + BOX, start[1] + TALL / 2, end
    if to_x - start[0] == WIDE:
        middle = (x + to_x) / 2
        return f"M{x} {y} C{middle} {y} {middle} {to_y + TALL / 2} {to_x} {to_y + TALL / 2}"
    above = start[1] <= to_y
    to_x, to_y, lift = to_x + BOX // 2, to_y if above else to_y + TALL, -ARC if above else ARC
    level = y + lift if start[1] == end[1] else y
    return f"M{x} {y} C{(2 * x + to_x) / 3} {level} {to_x} {to_y + lift} {to_x} {to_y}"


def _text(x: float, y: float, text: str, anchor: str, size: int, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" fill="{INK}"{weight}>{escape(text)}</text>'
    )


def draw() -> str:
    """Give the figure as SVG."""
    (function,) = ast.parse(inspect.getsource(unrolled.iterate)).body
    loop = next(node for node in ast.walk(function) if isinstance(node, ast.For))
    return _svg(Graph(loop.body, _products()).nodes)


if __name__ == "__main__":
    FIGURE.write_text(draw(), encoding="utf-8")
