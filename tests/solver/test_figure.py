"""The drawing of one iteration is the one that the code makes now."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_graph_in_the_docs_is_up_to_date():
    tool = runpy.run_path(str(ROOT / "tools" / "solver_graph.py"))
    assert tool["FIGURE"].read_text(encoding="utf-8") == tool["draw"](), "run tools/solver_graph.py"


def test_every_variable_of_the_iteration_is_drawn():
    drawn = runpy.run_path(str(ROOT / "tools" / "solver_graph.py"))["draw"]()
    for name in ("p", "q", "u", "v", "ū", "v̄"):
        assert f'font-weight="bold">{name}<' in drawn or f'font-weight="bold">{name},' in drawn
    for parameter in ("σp α1", "σq α0", "τu α1", "τv α0", "τv α1", "θ"):
        assert parameter in drawn
