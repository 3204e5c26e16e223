"""
Records how chat templates of public models write tool calls: python chat-templates.py > test/fixtures/replies/chat-templates.json

The templates come with TRL (PyPI) and are rendered by transformers (PyPI). Written for trl 1.16.0 and transformers 5.24.0.
"""

import json
import os

import trl
from transformers.utils.chat_template_utils import render_jinja_template

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": f"To {name}.",
            "parameters": {"type": "object", "properties": properties, "required": list(properties)},
        },
    }
    for name, properties in {
        "get": {"count": {"type": "integer"}, "item": {"type": "string"}},
        "write_file": {"path": {"type": "string"}, "content": {"type": "string"}},
        "inventory": {},
    }.items()
]
ITEMS = ["oak log", "stick", "blaze powder", "black dye", "redstone", "cobblestone", "iron ingot", "4 planks"]
TEXTS = ['print("Action: go")\n# Thought: done', "- a `b`\n\n<b>'quoted'</b> \\n {path}", "  two spaces  ", "", "ü😀"]
CALLS = [
    *({"name": "get", "arguments": {"count": count, "item": item}} for item in ITEMS for count in (1, 12)),
    *({"name": "write_file", "arguments": {"path": f"a {i}.md", "content": text}} for i, text in enumerate(TEXTS)),
    {"name": "inventory", "arguments": {}},
]


def render(template, messages, generation):
    """Returns the text of a conversation."""
    options = {"tools": TOOLS, "add_generation_prompt": generation}
    texts, _ = render_jinja_template([messages], chat_template=template, **options)
    return texts[0]


def reply_of(template, call, arguments):
    """Returns what a model writes for a call, without the text before its reply and the mark at its end."""
    question = [{"role": "user", "content": "Do it."}]
    called = {"id": "abcdefghi", "type": "function", "function": {**call, "arguments": arguments}}
    answer = {"role": "assistant", "content": "", "tool_calls": [called]}
    before, prompt = render(template, question, False), render(template, question, True)
    text = render(template, [*question, answer], False)
    if not text.startswith(before):
        raise ValueError("the template changes earlier messages")
    written, asked = text[len(before) :], prompt[len(before) :]
    header = os.path.commonprefix([written, asked])
    if header != asked:  # the reply begins otherwise than the prompt ends: go back to the end of a mark
        header = header[: max(header.rfind(">"), header.rfind("\n")) + 1]
    return without_end(written[len(header) :])


def without_end(reply):
    """Leaves out the marks that end a turn, which servers leave out too."""
    for end in ("<|tool_response>", "<turn|>", "<|im_end|>", "<|eot_id|>", "<|eot|>", "<｜end▁of▁sentence｜>"):
        reply = reply.removesuffix("\n").removesuffix(end)
    return reply


def replies(template):
    """Yields the replies of one template, with arguments as values or, where it takes only those, as text."""
    for call in CALLS:
        try:
            reply = reply_of(template, call, call["arguments"])
        except TypeError:
            reply = reply_of(template, call, json.dumps(call["arguments"]))
        yield {"call": call, "reply": reply}


def main():
    folder = os.path.join(os.path.dirname(trl.__file__), "chat_templates")
    recorded, left_out = [], {}
    for file in sorted(os.listdir(folder)):
        if not file.endswith(".jinja") or "training" in file:
            continue
        model = file.removesuffix(".jinja")
        with open(os.path.join(folder, file)) as page:
            template = page.read()
        try:
            each = list(replies(template))
            if "get" not in each[0]["reply"]:
                raise ValueError("the template writes no calls")
            recorded.append({"model": model, "replies": each})
        except Exception as error:
            left_out[model] = f"{type(error).__name__}: {error}"[:100]
    print(json.dumps({"trl": trl.__version__, "tools": TOOLS, "templates": recorded, "leftOut": left_out}, indent=1))


main()
