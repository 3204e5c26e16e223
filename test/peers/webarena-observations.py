"""Shows pages in Chromium and writes what WebArena's public package makes of them, for test/peers/webarena-observations.ts.

For each address on standard input it loads the page and prints one line of JSON: the texts of the accessibility tree, of the
viewport and of the whole page, as the package's processor gives them, with the nodes and rectangles that it had. The page stays
as it is until the next line, so that another program can look at it through the same browser.

Needs Python 3.10 or newer with libwebarena, playwright, gymnasium, numpy, pillow and beartype:

    python test/peers/webarena-observations.py PORT CHROMIUM
"""

import json
import os
import sys

for name in ("SHOPPING", "SHOPPING_ADMIN", "REDDIT", "GITLAB", "WIKIPEDIA", "MAP", "HOMEPAGE"):
    os.environ.setdefault(name, "http://127.0.0.1")

from playwright.sync_api import sync_playwright  # noqa: E402
from webarena.browser_env.processors import TextObervationProcessor  # noqa: E402

SIZE = {"width": 1280, "height": 720}


def slim(node):
    """A node as far as its text depends on it."""
    properties = [
        {"name": one["name"], "value": {key: one["value"][key] for key in ("value",) if key in one["value"]}}
        for one in node.get("properties", [])
    ]
    slimmed = {"nodeId": node["nodeId"], "childIds": node["childIds"], "rect": node.get("union_bound")}
    for key in ("role", "name"):
        if "value" in node.get(key, {}):
            slimmed[key] = {"value": node[key]["value"]}
    if properties:
        slimmed["properties"] = properties
    if "backendDOMNodeId" in node:
        slimmed["backendDOMNodeId"] = node["backendDOMNodeId"]
    return slimmed


def observed(page, client, is_viewport):
    processor = TextObervationProcessor("accessibility_tree", is_viewport, SIZE)
    return processor.process(page, client)


def main(port, chromium):
    with sync_playwright() as playwright:
        options = [f"--remote-debugging-port={port}"]
        browser = playwright.chromium.launch(executable_path=chromium, args=options, chromium_sandbox=False)
        context = browser.new_context(viewport=SIZE, device_scale_factor=1)
        page = context.new_page()
        client = context.new_cdp_session(page)
        client.send("Accessibility.enable")
        print(json.dumps({"version": browser.version}), flush=True)
        for line in sys.stdin:
            command = json.loads(line)
            result = {}
            try:
                page.goto(command["url"])
                page.wait_for_timeout(300)
                for _ in range(command["scrolls"]):
                    page.evaluate("document.scrollingElement.scrollTop += window.innerHeight")
                page.wait_for_timeout(300)
                result["viewport"] = observed(page, client, True)
                result["whole"] = observed(page, client, False)
                processor = TextObervationProcessor("accessibility_tree", False, SIZE)
                info = processor.fetch_browser_info(page, client)
                result["nodes"] = [slim(node) for node in processor.fetch_page_accessibility_tree(info, client, False)]
            except Exception as error:
                result["error"] = f"{type(error).__name__}: {error}"[:300]
            print(json.dumps(result), flush=True)
        browser.close()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
