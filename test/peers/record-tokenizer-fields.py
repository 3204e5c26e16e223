"""Records test/fixtures/native/tokenizer-fields.json: the fields without which `tokenizers` refuses a tokenizer.json.

Usage: record-tokenizer-fields.py TOKENIZER...

TOKENIZER  a tokenizer.json that `tokenizers` loads; together the files should have every kind of part that this project writes

Needs PyPI `tokenizers`. Each field of each object is removed in turn, and the rest is loaded. Objects are named by their
place, and by their `type` where they have one: `added_tokens`, `pre_tokenizer ByteLevel`.
"""

import copy
import json
import sys
from pathlib import Path

from tokenizers import Tokenizer, __version__

FIXTURE = Path(__file__).resolve().parent.parent / "fixtures" / "native" / "tokenizer-fields.json"
# Tables from tokens to numbers. Their keys are not fields.
TABLES = {"vocab", "special_tokens"}


def objects(value, name, path=()):
    """Yields every object: its name, and its path from the root."""
    if isinstance(value, list):
        for index, item in enumerate(value[:3]):
            yield from objects(item, name, (*path, index))
    if not isinstance(value, dict):
        return
    yield f"{name} {value['type']}" if isinstance(value.get("type"), str) else name, path
    for key, item in value.items():
        if key not in TABLES:
            yield from objects(item, key if name == "" or key != "pretokenizers" else name, (*path, key))


def loads(definition):
    try:
        Tokenizer.from_str(json.dumps(definition))
        return True
    except Exception:
        return False


def at(value, path):
    for key in path:
        value = value[key]
    return value


def required(definition, found):
    if not loads(definition):
        raise ValueError("expected a tokenizer.json that loads")
    for name, path in objects(definition, ""):
        fields = found.setdefault(name, set())
        if len(at(definition, path)) == 1:
            continue  # The key names the kind of the object, such as {"Regex": ...}.
        for field in at(definition, path):
            without = copy.deepcopy(definition)
            del at(without, path)[field]
            if not loads(without):
                fields.add(field)


if __name__ == "__main__":
    found = {}
    for path in sys.argv[1:]:
        required(json.loads(Path(path).read_text()), found)
    table = {name: sorted(fields) for name, fields in sorted(found.items()) if fields}
    FIXTURE.write_text(json.dumps({"tokenizers": __version__, "required": table}, indent=2) + "\n")
