"""Records how WebArena's public package reads actions, for test/envs/shared/browser/web-action.test.ts.

Needs Python 3.10 or newer with libwebarena, playwright, gymnasium, numpy, pillow and beartype:

    python test/peers/webarena-actions.py test/fixtures/webarena/actions.json
"""

import json
import os
import random
import sys

for name in ("SHOPPING", "SHOPPING_ADMIN", "REDDIT", "GITLAB", "WIKIPEDIA", "MAP", "HOMEPAGE"):
    os.environ.setdefault(name, "http://127.0.0.1")

from webarena.browser_env.actions import (  # noqa: E402
    ActionParsingError,
    ActionTypes,
    _id2key,
    action2str,
    create_id_based_action,
)

WRITTEN = [
    "click [12]", "click[12]", "click  [12]", "click [ab]", "click", "Click [12]", " click [12] ", "click [12] [13]",
    "hover [7]", "hover [x]", "hover 7", "type [7] [hello]", "type [7] [hello] [0]", "type [7] [hello] [1]",
    "type [7] [hello] [2]", "type [7] []", "type [7] [] [1]", "type [7] [a [b] c] [0]", "type [7] [ends with [0]]",
    "type [7] [see [1]", "type [7][hello][1]", "type [7] hello", "type [7] [two\nlines] [1]", "type[7] [x] [1]",
    "press [Enter]", "press [ctrl+v]", "press [Meta+a]", "press [arrowdown]", "press [ArrowLeft]", "press []", "press Enter",
    "press [f5]", "press [shift+TAB]", "scroll [down]", "scroll [up]", "scroll down", "scroll [direction=down]",
    "scroll [left]", "scroll", "scroll [downwards]", "goto [http://reddit.com/f/books]", "goto http://a.com", "goto []",
    "goto [a] [b]", "new_tab", "new_tab []", "go_back", "go_forward", "go_back [1]", "close_tab", "tab_focus [0]",
    "tab_focus [1] x", "tab_focus 1", "tab_focus [a]", "stop [42]", "stop []", "stop", "stop [a] b]", "stop [it's [5]]",
    "stop [two\nlines]", "stop answer", "select [12]", "wait", "[12]", "click [12", "note: click [12]", "click the [12]",
    "stop [N/A]", "type [007] [x]", "click [-1]", "tab_focus [10]", "stop  [x]", "scroll[down]", "press[Enter]",
]


def fuzzed(rng):
    """Returns strings made of pieces of the grammar."""
    pieces = ["click", "type", "stop", "goto", "press", "scroll", "hover", " ", "  ", "[", "]", "12", "0", "1", "a", "\n"]
    return "".join(rng.choice(pieces) for _ in range(rng.randint(2, 9)))


def read(text):
    try:
        action = create_id_based_action(text)
    except ActionParsingError as error:
        return {"error": str(error)}
    except Exception as error:
        return {"crash": type(error).__name__}
    kind = action["action_type"]
    result = {"kind": str(kind).split(".")[1].lower(), "past": action2str(action, "id_accessibility_tree", "link 'a'")}
    if kind == ActionTypes.TYPE:
        result["text"] = "".join(_id2key[key] for key in action["text"])
    if kind in (ActionTypes.CLICK, ActionTypes.TYPE, ActionTypes.HOVER):
        result["id"] = action["element_id"]
    if kind == ActionTypes.KEY_PRESS:
        result["keys"] = action["key_comb"]
    return result


def main(path):
    rng = random.Random(5)
    texts = WRITTEN + [fuzzed(rng) for _ in range(600)]
    cases = [{"written": text, **read(text)} for text in dict.fromkeys(texts)]
    with open(path, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
    print(len(cases), "actions")


if __name__ == "__main__":
    main(sys.argv[1])
