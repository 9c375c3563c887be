"""Parses PowerShell scripts with tree-sitter's grammar.

Reads a JSON list of scripts from standard input and writes {"version", "results"}, for each script a list of
"line:column what" where it is no PowerShell.
"""

import json
import sys
from importlib.metadata import version

import tree_sitter_powershell
from tree_sitter import Language, Node, Parser


def faults(node: Node) -> list[str]:
    line, column = node.start_point
    if node.is_missing:
        return [f"{line + 1}:{column + 1} missing {node.type}"]
    inner = [fault for child in node.children for fault in faults(child)] if node.has_error else []
    return inner or ([f"{line + 1}:{column + 1} not understood"] if node.is_error else [])


def main() -> None:
    parser = Parser(Language(tree_sitter_powershell.language()))
    results = [faults(parser.parse(script.encode()).root_node) for script in json.load(sys.stdin)]
    json.dump({"version": version("tree-sitter-powershell"), "results": results}, sys.stdout)


if __name__ == "__main__":
    main()
