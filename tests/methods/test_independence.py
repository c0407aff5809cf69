"""What import-linter cannot say with a wildcard."""

import grimp

METHODS = "atgvnet.methods"


def test_no_method_knows_another_and_what_they_share_is_private() -> None:
    graph = grimp.build_graph("atgvnet")
    for method in graph.find_children(METHODS):
        known = {name.removeprefix(f"{METHODS}.") for name in graph.find_modules_directly_imported_by(method)}
        others = known & {name.removeprefix(f"{METHODS}.") for name in graph.find_children(METHODS)}
        assert all(name.startswith("_") for name in others - {"problem"}), method
