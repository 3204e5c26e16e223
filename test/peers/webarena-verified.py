"""Records the scores that the public package webarena-verified gives to answers and network events.

    python3 -m venv VENV && VENV/bin/pip install webarena-verified==1.2.3
    VENV/bin/python test/peers/webarena-verified.py test/fixtures/webarena [SEED]

The cases are derived from the evaluators of the package's 812 tasks (ServiceNow, Apache-2.0) with a fixed seed: the right
answer and the right requests, other ways of writing them, near misses and traps. webarena_verified_probes.py beside this
file adds writings of each format of values. Recorded with Python 3.11 on 2026-11-23; the date only matters to dates without
a year, which match nothing here. The file is gzip with no time stamp: the same inputs give the same bytes.

verified.json.gz  {"sites": {site: url}, "specs": {id: {"sites": [site], "eval": [evaluator]}}, "cases": [case]}, where a case
                  is [id, answer, events, scores]: scores has a character, 0 or 1, for each evaluator
"""

import copy
import gzip
import json
import logging
import os
import random
import re
import re._parser as regex_parser
import sys
import urllib.parse
from types import MappingProxyType

logging.disable(logging.CRITICAL)
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from webarena_verified.core.evaluation.evaluators import EVALUATOR_REGISTRY
from webarena_verified.types.config import EnvironmentConfig, WebArenaVerifiedConfig
from webarena_verified.types.eval import TaskEvalContext
from webarena_verified.types.task import WebArenaSite, WebArenaVerifiedTask
from webarena_verified.types.tracing import NetworkEvent, NetworkTrace
from webarena_verified.utils import get_package_assets_path
from webarena_verified_probes import PROBES, WRITINGS

SITES = {
    "shopping": "http://shop.test:7770", "shopping_admin": "http://shop.test:7780/admin",
        "reddit": "http://reddit.test",
    "gitlab": "http://gitlab.test:8023", "wikipedia": "http://wiki.test:8888/wikipedia_en_all_maxi_2022-05/A",
    "map": "http://map.test:3000", "homepage": "http://home.test:4399",
}
CONFIG = WebArenaVerifiedConfig(environments={WebArenaSite(k): EnvironmentConfig(urls=[v]) for k, v in SITES.items()})
rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 20211)


# Scores


def har(event):
    """HAR entry of an event, as Playwright's recorder writes it."""
    headers = [{"name": name, "value": value} for name, value in event["headers"].items()]
    request = {"url": event["url"], "method": event["method"], "headers": headers}
    if event["postData"] is not None:
        request["postData"] = {"mimeType": event["headers"].get("content-type", ""), "text": event["postData"]}
    pairs = [(header["name"].lower(), header["value"]) for header in event["responseHeaders"]]
    cookies = [value.split(";")[0].partition("=") for name, value in pairs if name == "set-cookie"]
    content = {"mimeType": dict(pairs).get("content-type", ""), "text": event["responseText"] or ""}
    return {"request": request, "response": {
        "status": event["status"], "headers": event["responseHeaders"], "redirectURL": "", "content": content,
        "cookies": [{"name": name.strip(), "value": value.strip()} for name, _, value in cookies],
    }}


def scores(task, answer, events):
    trace = NetworkTrace.model_construct(
        is_playwright=False, src_file="",
            events=tuple(NetworkEvent(data=MappingProxyType(har(event))) for event in events))
    context = TaskEvalContext(task=task, agent_response_raw=answer, network_trace=trace, config=CONFIG)
    results = [EVALUATOR_REGISTRY[config.evaluator]().evaluate(context=context, config=config) for config in task.eval]
    return "".join(str(int(result.score)) for result in results)


# Right values


def sample(pattern):
    """A text that a regular expression matches."""
    def walk(nodes):
        return "".join(one(op, arg) for op, arg in nodes)

    def one(op, arg):
        name = str(op)
        if name == "LITERAL":
            return chr(arg)
        if name == "ANY":
            return rng.choice("abcxyz019/")
        if name == "IN":
            kind, value = arg[0]
            if str(kind) == "CATEGORY":
                return {"CATEGORY_DIGIT": "7", "CATEGORY_SPACE": " "}.get(str(value), "w")
            return chr(value[0]) if str(kind) == "RANGE" else chr(value) if str(kind) == "LITERAL" else "q"
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            low, high, body = arg
            least = low + (int(high) > 1 and str(body[0][0]) == "ANY")
            return "".join(walk(body) for _ in range(rng.randint(least, min(int(high), least + 3))))
        if name == "SUBPATTERN":
            return walk(arg[3])
        if name == "BRANCH":
            return walk(rng.choice(arg[1]))
        if name == "ASSERT":
            return walk(arg[1])
        return ""

    return walk(regex_parser.parse(pattern))


def is_pattern(value):
    return isinstance(value, str) and value.startswith("^") and value.endswith("$")


def concrete(value):
    """A value that an expected one stands for: a text of a pattern, one of its alternatives."""
    if isinstance(value, list) and len(value) > 1 and all(not isinstance(one, dict) for one in value):
        return concrete(rng.choice(value))
    if is_pattern(value):
        return sample(re.sub(r"^\^\.\*(?=/route)", "^http://routes\\.test", rendered(value)))
    return rendered(value) if isinstance(value, str) else value


def rendered(text):
    for site, url in SITES.items():
        text = text.replace(f"__{site.upper()}__", url)
    return text


def right_answer(raw):
    expected = raw["eval"][0]["expected"]
    parts = raw["eval"][0]["results_schema"].get("items", {}).get("properties", {})

    def fill(one):
        if not isinstance(one, dict):
            return concrete(one)
        return {key: value if "items" in parts.get(key, {}) else concrete(value) for key, value in one.items()}

    data = expected.get("retrieved_data")
    return {"task_type": expected["task_type"], "status": expected["status"],
            "retrieved_data": data and [fill(one) for one in data], "error_details": None}


def event(url, method="GET", status=200, post=None, kind="form", headers=(), response=None, cookies=()):
    given = {"accept": "*/*"}
    if method == "GET":
        given = {"accept": "text/html,application/xhtml+xml", "sec-fetch-dest": "document",
            "sec-fetch-mode": "navigate",
                 "sec-fetch-user": "?1"}
    reply = [{"name": "content-type", "value": "application/json" if response else "text/html; charset=utf-8"}]
    reply += [{"name": "set-cookie", "value": f"{k}={urllib.parse.quote(v)}; Path=/; HttpOnly"} for k, v in cookies]
    if post is not None and kind != "json":
        post = {"form_key": "k3y", **post}
    return {"url": url, "method": method, "headers": {**given, **dict(headers), **body_type(post, kind)},
            "postData": body(post, kind), "status": status, "responseHeaders": reply,
            "responseText": json.dumps(response) if response else None}


TYPES = {"form": "application/x-www-form-urlencoded; charset=UTF-8", "json": "application/json",
         "multipart": "multipart/form-data; boundary=----WebKitFormBoundaryq7"}


def body_type(post, kind):
    return {} if post is None else {"content-type": TYPES[kind]}


def body(post, kind):
    if post is None or kind == "json":
        return post and json.dumps(post)
    if kind == "form":
        return urllib.parse.urlencode({k: "" if v is None else v for k, v in post.items()})
    part = '------WebKitFormBoundaryq7\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
    return "".join(part % one for one in post.items()) + "------WebKitFormBoundaryq7--\r\n"


def put(tree, path, value):
    """Puts a value where a JSONPath expression finds it."""
    if "?(" in path:
        items = value if isinstance(value, list) else [value]
        tree["configurable-matrix-serialized"] = json.dumps(
            [{"newProduct": 0, "attributes": "Size: Q"}] + [{"newProduct": 1, "attributes": one} for one in items])
        return
    steps = re_steps(path)
    for step, after in zip(steps, steps[1:]):
        if isinstance(step, int):
            while len(tree) <= step:
                tree.append({})
            tree = tree[step]
        else:
            tree = tree.setdefault(step, [] if isinstance(after, int) else {})
    tree[steps[-1]] = value


def re_steps(path):
    steps = []
    for part in path[2:].split("."):
        name, _, index = part.partition("[")
        steps.append(name)
        if index:
            steps.append(int(index[:-1]))
    return steps


def fields_of(expected):
    """Fields of a body, and in what it is written."""
    fields, kind = {}, "form"
    for key, value in (expected or {}).items():
        keep = isinstance(value, list) and (len(value) == 1 or "assignee" in key or "?(" in key)
        value = value if keep else concrete(value)
        if key.startswith("$.^"):
            fields[sample(key[2:])] = value
        elif key.startswith("$"):
            put(fields, key, value)
            kind = "form" if "?(" in key else "json"
        elif value is not None:
            fields[key] = value
    if any(not isinstance(value, str) for value in fields.values()):
        kind = rng.choice(["json", kind])
    return fields, kind if kind != "form" or rng.random() < 0.8 else "multipart"


def right_event(config):
    expected = config["expected"]
    url = concrete(expected["url"])
    if expected.get("query_params"):
        query = urllib.parse.urlencode([(k, concrete(v)) for k, vs in expected["query_params"].items() for v in vs])
        url += ("&" if "?" in url else "?") + query
    post, kind = fields_of(expected.get("post_data"))
    headers = {name.lower(): concrete(value) for name, value in expected.get("headers", {}).items()}
    response, _ = fields_of(expected.get("response_content"))
    cookies = [(name, concrete(value)) for name, value in expected.get("response_cookies", {}).items()]
    return event(url, expected.get("http_method", "GET"), expected.get("response_status", 200),
        post if expected.get("post_data") else None, kind,
                 headers, response, cookies)


def right_events(raw):
    static = event(rendered(f"__{raw['sites'][0].upper()}__/static/app.css"))
    events = [right_event(one) for one in raw["eval"][1:] if not one.get("should_not_exist")]
    return [static, *events, static] if events else []


# Wrong and other values


def dump(value):
    return json.dumps(value, ensure_ascii=False)


def without(answer, name):
    return {key: value for key, value in answer.items() if key != name}


def other_answers(raw, answer):
    data = answer["retrieved_data"]
    text = dump(answer)
    yield f"Here it is:\n```json\n{json.dumps(answer, indent=1)}\n```\nDone."
    yield rng.choice([
        f"```\n{text}```", f"```json{text}", f"````json\n{text}\n````", f"```JSON\n{text}\n```", f"The answer: {text}",
        f"\n{text}\u3000", f"\ufeff{text}", f"-{text}", f"// \n{text}", f"{text}}}", f"[{text}]", "", "null", "{}", "done",
        text[:-1] + ",}", text[:-1] + ', "status": "x"}', text[:-1] + ', "x": "\t"}', text[:-1] + ', "x": 01}',
        text[:-1] + ', "x": [NaN, -Infinity, 1e999, 1.0, 12345678901234567890123]}',
        text[:-1] + ', "x": "\\ud83d\\u0041\\x"}',
        text.replace('"', "'"), text.replace(" ", "\u00a0"), text.replace(" ", "\n\t "),
    ])
    status = rng.choice(["success", " Success. ", "UNKNOWN_ERROR", "NOT_FOUND_ERROR", "", None, ["SUCCESS"]])
    yield dump({**answer, "status": status})
    yield dump({**answer, "task_type": rng.choice(["retrieve", "Mutate", "NAVIGATE", "'retrieve'", None, 1])})
    legacy = {**without(answer, "task_type"), "performed_operation": answer["task_type"]}
    yield dump(rng.choice([legacy, {**legacy, "task_type": "NAVIGATE"}, without(answer, "status")]))
    changes = [{**answer, "retrieved_data": other} for other in ([], None, 0, ["something"])]
    yield dump(rng.choice([without(answer, "retrieved_data"), *changes]))
    if not data:
        return
    for _ in range(3):
        yield dump({**answer, "retrieved_data": rng.choice([
            data[::-1], data[:-1], data + data[:1], data + [None], data[0], dump(data), [data], [data[0]] * len(data),
            rng.sample(data, len(data)), {"value": data}, [dump(one) for one in data], [[one, "x"] for one in data],
        ])})
    for _ in range(4):
        yield dump({**answer, "retrieved_data": rewritten(data, raw["eval"][0]["results_schema"]["items"])})


def format_of(schema):
    return schema.get("format") or schema.get("type", "string")


def rewritten(data, items):
    """The same data with some of its values written in another way, which may or may not be the same value."""
    if "properties" not in items:
        return [rng.choice(WRITINGS[format_of(items)])(one) if rng.random() < 0.7 else one for one in data]
    new = copy.deepcopy(data)
    one = rng.choice(new)
    key = rng.choice(list(one))
    value = one[key]
    schema = items["properties"].get(key, {})
    kind = format_of(schema)
    odd = rng.random()
    if odd < 0.08:
        del one[key]
    elif odd < 0.16:
        one[rng.choice(["note", "Name"])] = "x"
    elif odd < 0.24 or value is None:
        one[key] = rng.choice([None, "", "null"])
    elif kind == "array":
        writings = [rng.choice(WRITINGS[format_of(schema["items"])])(part) for part in value]
        one[key] = rng.choice([value[::-1], value[1:], value + ["x"], dump(value), writings])
    elif kind == "object":
        part = rng.choice(list(value))
        value[part] = rng.choice(WRITINGS["string"])(value[part])
    else:
        one[key] = rng.choice(WRITINGS[kind])(value)
    return new


def other_events(raw, events):
    yield []
    forbidden = [right_event(one) for one in raw["eval"][1:] if one.get("should_not_exist")]
    if forbidden:
        yield events + forbidden
    for _ in range(6 if events else 0):
        at = rng.randrange(1, len(events) - 1)
        changed = other_event(events[at])
        yield rng.choice([
            [*events[:at], changed, *events[at + 1:]], [*events[:at], changed, *events[at + 1:]], [*events, changed],
            [changed, *events], [*events, *events], events[::-1], events[at + 1:],
            [*events, event("http://elsewhere.test/page")], [*events, event("data:text/plain,x"), event("about:blank")],
        ])


def other_url(url):
    host = urllib.parse.urlsplit(url).netloc
    return rng.choice([
        "http://", url[:-1], url.split("?")[0], url.upper(), url.replace("-", "%2D"), url.replace("/-/", "/%2D/"),
        url.replace(host, host.upper()), url.replace(host, "elsewhere.test"), url.replace("http:", "https:"),
        url.replace("//", "///", 1), url.replace("/", "//").replace("////", "//", 1), url.replace("=", "=%20"),
        *[url + end for end in ["/", "x", "#top", "?", "&a=b", "?page=2&sort=asc", "?isAjax=true", "?_=1", ".png", "/./",
                                "/../x", "/bmFtZT1hbm4mYWdlPTM"]],
    ])


def other_post(post):
    return rng.choice([
        None, "", "{}", "[]", post + "&extra=1", post[: len(post) // 2], post.upper(), post.replace("=", "=+"),
        post.replace("1", "2"), post.replace("0", ""), post.replace('"', "'"), post.replace(" ", "  "),
        post.replace("%20", "+"), post.replace(":", ": "), post.replace("e", "%65"), post.replace("\r\n", "\n"),
        post.replace("a", "\\u0061"), post.replace("+", "-"),
    ])


def other_event(one):
    headers, post, reply = one["headers"], one["postData"], one["responseText"]
    header = rng.choice(["referer", "accept", "sec-fetch-user", "cookie"])
    value = rng.choice([one["url"], SITES["gitlab"], "http://elsewhere.test/", "text/html", "*/*", "?0",
                        "_osm_directions_engine=fossgis_osrm_foot"])
    return {**one, **rng.choice([
        {"method": rng.choice(["GET", "PUT", "DELETE", one["method"].lower()])},
        {"status": rng.choice([200, 302, 404, 500, -1])},
        {"url": other_url(one["url"])},
        {"headers": {**headers, header: value}},
        {"headers": {name: value for name, value in headers.items() if rng.random() < 0.6}},
        {"headers": {**headers, "content-type": rng.choice([*TYPES.values(), "text/plain"])} if post else headers},
        {"postData": post and other_post(post)},
        {"responseHeaders": one["responseHeaders"][:1]},
        {"responseText": rng.choice([None, "{}", reply and reply.replace("1", "2"), reply])},
    ])}


# The file

raws = json.load(open(get_package_assets_path() / "dataset" / "webarena-verified.json"))
specs, cases = {}, []


def record(name, raw, answers_and_events):
    task = WebArenaVerifiedTask(**raw)
    specs[name] = {"sites": raw["sites"], "eval": raw["eval"]}
    for answer, events in answers_and_events:
        cases.append([name, answer, events, scores(task, answer, events)])


for raw in raws:
    answer, events = right_answer(raw), right_events(raw)
    text = json.dumps(answer)
    variants = [(text, events)]
    if len(raw["eval"]) > 1:
        variants += [(text, other) for other in other_events(raw, events)]
    if answer["retrieved_data"] or rng.random() < 0.15:
        variants += [(other, events) for other in other_answers(raw, answer)]
    record(str(raw["task_id"]), raw, variants)
for kind, expected, writings in PROBES:
    schema = {"type": "array", "items": kind if isinstance(kind, dict) else {"type": "string", "format": kind}}
    response = {"task_type": "RETRIEVE", "status": "SUCCESS", "retrieved_data": [expected]}
    evaluator = {"evaluator": "AgentResponseEvaluator", "results_schema": schema, "expected": response}
    raw = {**raws[0], "sites": ["gitlab", "reddit"], "eval": [evaluator]}
    record(f"{kind} {expected}", raw, [(json.dumps({**response, "retrieved_data": [one]}), []) for one in writings])
answer = json.dumps(right_answer(raws[0]))
patterns = [answer.replace("SUCCESS", "^.*$"), answer.replace('"RETRIEVE"', '"^(?!x).*$"')]
record("patterns", raws[0], [(pattern, []) for pattern in patterns])

os.makedirs(sys.argv[1], exist_ok=True)
data = json.dumps({"sites": SITES, "specs": specs, "cases": cases}, separators=(",", ":"))
with open(os.path.join(sys.argv[1], "verified.json.gz"), "wb") as file:
    file.write(gzip.compress(data.encode(), 9, mtime=0))
right = sum("0" not in case[3] for case in cases)
print(f"{len(specs)} specs, {len(cases)} cases, {right} of them right in all")
