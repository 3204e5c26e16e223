"""Records what WebArena's public evaluators say of answers and pages, for test/envs/shared/web-tasks/evaluators.test.ts.

The specs are those of the benchmark's 812 tasks. For each, right and wrong answers, addresses and page contents are made
from the spec itself; the pages are stand-ins that both implementations read. A judge is replaced by a rule, since a language
model is not what is compared.

Needs Python 3.10 or newer with libwebarena, nltk (and its punkt_tab, found by NLTK_DATA), beartype, playwright, gymnasium,
numpy, pillow and requests:

    python test/peers/webarena-evaluators.py test/fixtures/webarena/evaluations.json.gz

and the same for WebArena-Lite's 165 tasks, with a checkout of THUDM/VisualAgentBench:

    python test/peers/webarena-evaluators.py test/fixtures/webarena/lite.json.gz CHECKOUT/VAB-WebArena-Lite/new
"""

import gzip
import importlib.util
import json
import os
import random
import sys
import tempfile
import types
from importlib import resources

SITES = {
    "SHOPPING": "http://shop.test:7770",
    "SHOPPING_ADMIN": "http://shop.test:7780/admin",
    "REDDIT": "http://forum.test:9999",
    "GITLAB": "http://forge.test:8023",
    "WIKIPEDIA": "http://wiki.test:8888/wikipedia_en_all_maxi_2022-05/A/User:The_other_Kiwix_guy/Landing",
    "MAP": "http://map.test:3000",
    "HOMEPAGE": "http://home.test:4399",
}
os.environ.update(SITES)

# The package loads a client of a language model, which is not called here.
providers = types.ModuleType("webarena.llms.providers.openai_utils")
providers.generate_from_openai_chat_completion = None
llms = types.ModuleType("webarena.llms")
llms.__path__ = []
sys.modules.update(
    {
        "webarena.llms": llms,
        "webarena.llms.providers": types.ModuleType("webarena.llms.providers"),
        "webarena.llms.providers.openai_utils": providers,
    }
)

from webarena.evaluation_harness import evaluators  # noqa: E402
from webarena.evaluation_harness.helper_functions import PseudoPage  # noqa: E402



def lite_evaluators(folder):
    """WebArena-Lite's module, without those of its own packages that are not called here."""
    from webarena.evaluation_harness import helper_functions as known

    class Any:
        pass

    def stand_in(name, **members):
        module = types.ModuleType(name)
        module.__dict__.update(members)
        sys.modules[name] = module

    unused = ["get_query_text", "get_query_text_lowercase", "reddit_get_latest_comment_content_by_username"]
    unused += ["reddit_get_latest_comment_obj_by_username", "reddit_get_parent_comment_username_of_latest_comment_by_username"]
    unused += [f"shopping_get_{what}" for what in ["num_reviews", "order_product_name_list", "order_product_option"]]
    unused += [f"shopping_get_{what}" for what in ["order_product_quantity", "product_attributes", "product_price"]]
    unused += ["shopping_get_rating_as_percentage", "shopping_get_sku_latest_review_text"]
    helpers = {name: getattr(known, name, None) for name in dir(known) if not name.startswith("_")}
    stand_in("evaluate", load=None)
    stand_in("browser_env.actions", Action=dict)
    stand_in("browser_env.utils", StateInfo=dict)
    stand_in("browser_env")
    stand_in("evaluation_harness.image_utils")
    stand_in("evaluation_harness.helper_functions", **{**dict.fromkeys(unused), **helpers, "PseudoPage": PseudoPage})
    stand_in("evaluation_harness", image_utils=sys.modules["evaluation_harness.image_utils"])
    spec = importlib.util.spec_from_file_location("lite_evaluators", os.path.join(folder, "evaluators.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LITE = len(sys.argv) > 2
if LITE:
    evaluators = lite_evaluators(sys.argv[2])
evaluators.time.sleep = lambda seconds: None


def judged(pred, reference, question):
    """The judge's rule: the reference's first word is in the answer."""
    words = reference.lower().split()
    return float(bool(words) and words[0] in pred.lower())


evaluators.llm_fuzzy_match = judged
evaluators.llm_ua_match = judged
SHOP = {
    "latestOrderUrl": f"{SITES['SHOPPING']}/sales/order/view/order_id/189/",
    "latestReviewAuthor": "Emma",
    "latestReviewRating": "80",
}
evaluators.shopping_get_latest_order_url = lambda: SHOP["latestOrderUrl"]


class Context:
    def __init__(self, pages):
        self.pages = pages

    def new_page(self):
        return Page(self, "about:blank")


class Page:
    """A page whose contents are a table: by address, its HTML and the values of expressions."""

    def __init__(self, context, url):
        self.context = context
        self.url = url

    def goto(self, url):
        self.url = url

    def content(self):
        return self.context.pages.get(self.url, {}).get("content", "<html></html>")

    def evaluate(self, script):
        values = self.context.pages.get(self.url, {}).get("values", {})
        expression = script.removeprefix("() => ")
        if "gl-avatar-labeled-sublabel" in script:
            return 0
        if "td.col-max-role" in script:
            return self.context.pages[self.url]["role"]
        if expression not in values:
            raise Exception("TypeError: Cannot read properties of null")
        return values[expression]

    def close(self):
        pass


def spoiled(text, rng):
    """A text that looks like another one."""
    kinds = [
        lambda: text[:-1],
        lambda: text.upper(),
        lambda: f"The answer is {text}.",
        lambda: f"'{text}'",
        lambda: f'  "{text}" ',
        lambda: text.replace(" ", "  ", 1),
        lambda: f"{text}0",
        lambda: f"x{text}",
        lambda: "",
        lambda: "N/A",
    ]
    return rng.choice(kinds)()


def answers_for(references, rng):
    """Right and wrong answers to a spec's reference answers."""
    parts = []
    for way, reference in references.items():
        parts += [reference] if isinstance(reference, str) else list(reference)
    right = ", ".join(parts)
    found = [right, spoiled(right, rng), " and ".join(reversed(parts)), spoiled(rng.choice(parts), rng)]
    if len(parts) == 1 and len(parts[0].strip()) == 1:
        one = parts[0]
        found += [f"There are {one}.", f"{one}0", f"It is {one}. That is all.", f"no. {one}, I think", f"({one})", f"{one}%"]
        found += [f"${one}.00", f"{one}-{one}", f"a{one}", f"He said \"{one}\".", f"{one}; {one}", f"up to {one}?", f"{one}.\nDone"]
    return found


def urls_for(reference, rng):
    first = reference.split(" |OR| ")[0]
    last = reference.split(" |OR| ")[-1]
    join = "&" if "?" in first else "?"
    kinds = [first, f"{last}/", f"{first}{join}page=2", first.replace("http://", "https://"), f"{first}#top", first[:-2]]
    kinds += [first.split("?")[0], first.replace("=", "=x", 1), first.replace("+", "%20"), f"{SITES['REDDIT']}/"]
    return [kinds[0], *rng.sample(kinds[1:], 3)]


def contents_for(required, rng):
    """What a page may show: all that is required, and less."""
    if "exact_match" in required:
        text = required["exact_match"]
        return [text, spoiled(text, rng)]
    parts = [rng.choice(one.split(" |OR| ")) for one in required.get("must_include", required.get("fuzzy_match"))]
    right = " | ".join(parts)
    escaped = right.replace("&", "&amp;").replace("'", "&#39;")
    return [right, escaped, " | ".join(parts[:-1]), spoiled(right, rng)]


def table_for(targets, last_url, rng, at):
    """Pages on which the targets show what their variant `at` says."""
    pages = {}
    for target in targets:
        url = target["url"]
        if url.startswith("func:reddit"):
            url = evaluators.reddit_get_post_url(last_url)
        elif url.startswith("func:shopping"):
            url = SHOP["latestOrderUrl"]
        elif url == "last":
            url = last_url
        variants = contents_for(target["required_contents"], rng)
        text = variants[at % len(variants)]
        page = pages.setdefault(url, {"content": "<html>", "values": {}})
        locator = target["locator"]
        if not locator.strip():
            page["content"] += f"<p>{text}</p>"
        elif locator.startswith("func:gitlab"):
            page["role"] = text
        elif not locator.startswith("func:"):
            page["values"][locator] = rng.choice([text, text, text, text, None, "", True, 5]) if at > 1 else text
    return pages


def play(spec, case):
    shop = {**SHOP, **case.get("shop", {})}
    evaluators.shopping_get_sku_latest_review_author = lambda sku: shop["latestReviewAuthor"]
    evaluators.shopping_get_sku_latest_review_rating = lambda sku: shop["latestReviewRating"]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(spec, file)
        file.flush()
        page = PseudoPage(Page(Context(case["pages"]), case["lastUrl"]), case["lastUrl"])
        page.context = Context(case["pages"])
        trajectory = [{}, {"answer": case["answer"]}]
        rest = [] if LITE else [None]
        return float(evaluators.evaluator_router(file.name)(trajectory, file.name, page, *rest))


def main(path):
    rng = random.Random(7)
    text = resources.files("webarena").joinpath("test.raw.json").read_text()
    if LITE:
        text = open(os.path.join(sys.argv[2], "test_webarena_lite.raw.json")).read()
    for name, url in SITES.items():
        text = text.replace(f"__{name}__", url)
    specs, cases = [], []
    for task in json.loads(text):
        evaluation = task["eval"]
        kinds = evaluation["eval_types"]
        targets = evaluation["program_html"] if "program_html" in kinds else []
        answers = answers_for(evaluation["reference_answers"], rng) if "string_match" in kinds else [""]
        urls = urls_for(evaluation["reference_url"], rng) if "url_match" in kinds else []
        if not urls:
            urls = [f"{SITES['REDDIT']}/f/books/124260/a-title/-/comment/5", f"{SITES['GITLAB']}/"][: 2 if targets else 1]
        count = max(len(answers), len(urls), 4 if targets else 0)
        fields = {name: evaluation.get(name) for name in ("eval_types", "reference_answers", "reference_url", "program_html")}
        note = evaluation.get("string_note", "")
        if LITE:
            fields = {**fields, "dialect": "lite", **{key: evaluation[key] for key in ["url_note"] if key in evaluation}}
        specs.append({"id": task["task_id"], "intent": task["intent"], "eval": {**fields, "string_note": note}})
        for at in range(count):
            last_url = urls[at % len(urls)]
            case = {"task": task["task_id"], "answer": answers[at % len(answers)], "lastUrl": last_url}
            case["pages"] = table_for(targets, last_url, rng, at)
            if any("latest_review" in target["locator"] for target in targets):
                wanted = {"author": "Emma", "rating": "80"}
                for target in targets:
                    for kind in wanted:
                        if f"review_{kind}" in target["locator"]:
                            wanted[kind] = contents_for(target["required_contents"], rng)[at % 2]
                case["shop"] = {"latestReviewAuthor": wanted["author"], "latestReviewRating": wanted["rating"]}
            try:
                case["score"] = play({**task, "eval": evaluation}, case)
            except Exception as error:
                case["error"] = f"{type(error).__name__}: {error}"[:200]
            cases.append(case)
    with open(path, "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
        packed.write(json.dumps({"sites": SITES, "shop": SHOP, "specs": specs, "cases": cases}).encode())
    scores = [case.get("score", "error") for case in cases]
    print({score: scores.count(score) for score in set(scores)}, len(cases), "cases")


if __name__ == "__main__":
    main(sys.argv[1])
