/**
 * Compares texts of accessibility trees with those of WebArena's public package (test/peers/webarena-observations.ts).
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type AxNode, axText, type Rect } from "#palestra/envs/shared/browser/observation/ax-text.js";
import { pythonRepr, pythonStr } from "#palestra/envs/shared/browser/observation/python-text.js";
import { cpuMs } from "../../../support/cpu-time.js";

interface Page {
  page: string;
  viewport: string;
  whole: string;
  nodes: (AxNode & { rect: Rect | null })[];
}

const file = new URL("../../../fixtures/webarena/observations.json.gz", import.meta.url);
const pages = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Page[];
const viewport = { width: 1280, height: 720 };
const asRecorded = { ids: "browser", isNoiseDropped: false } as const;

function rectsOf({ nodes }: Page) {
  const rects = new Map(nodes.map(({ backendDOMNodeId: id, rect }) => [id, rect ?? undefined]));
  return (id: number) => rects.get(id);
}

/** Shorthand for a node of a tree: role, name, children. */
type Written = readonly [role: string, name: string, ...children: Written[]];

function nodesOf(root: Written, properties: Readonly<Record<string, unknown>> = {}): AxNode[] {
  const nodes: AxNode[] = [];
  const add = ([role, name, ...children]: Written): string => {
    const id = nodes.length + 1;
    const node: AxNode = { nodeId: `${id}`, role: { value: role }, name: { value: name }, backendDOMNodeId: id };
    node.properties = Object.entries(properties).map(([key, value]) => ({ name: key, value: { value } }));
    nodes.push(node);
    node.childIds = children.map(add);
    return node.nodeId;
  };
  add(root);
  return nodes;
}

describe("the text of an accessibility tree", () => {
  test.each(pages)("equals the original's for $page", (page) => {
    const [tabs] = page.viewport.split("\n");
    const header = `${tabs}\n\n`;
    expect(header + axText(page.nodes, rectsOf(page), { ...asRecorded, viewport }).text).toBe(page.viewport);
    expect(header + axText(page.nodes, rectsOf(page), asRecorded).text).toBe(page.whole);
  });

  test("numbers nodes in page order, regardless of the browser's ids", () => {
    const [page] = pages as [Page];
    const ordinal = (nodes: readonly AxNode[]) =>
      axText(nodes, rectsOf(page), { ids: "ordinal", isNoiseDropped: true });
    const renamed = page.nodes.map((node) => ({
      ...node,
      nodeId: `${Number(node.nodeId) + 7_000}`,
      childIds: (node.childIds ?? []).map((id) => `${Number(id) + 7_000}`),
    }));
    expect(ordinal(renamed)).toEqual(ordinal(page.nodes));
    expect(ordinal(page.nodes).text).toMatch(/^\[1\] RootWebArea /);
    const ids = [...ordinal(page.nodes).text.matchAll(/^\t*\[(\d+)\]/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
  });

  test("omits details that Chromium has added since the benchmark was published", () => {
    const tree: Written = ["RootWebArea", "a", ["link", "b", ["StaticText", "b", ["InlineTextBox", "b"]]]];
    const told = (isNoiseDropped: boolean) =>
      axText(nodesOf(tree, { url: "http://a" }), () => [0, 0, 9, 9], { ids: "ordinal", isNoiseDropped }).text;
    expect(told(true)).toBe("[1] RootWebArea 'a'\n\t[2] link 'b'");
    expect(told(false)).toContain("link 'b' url: http://a");
    expect(told(false)).toContain("InlineTextBox");
  });

  test("of a page of 100,000 nodes, wide or deep, is made in linear time", () => {
    const wide = ["list", "a", ...Array.from({ length: 100_000 }, (_, at): Written => ["listitem", `${at}`])] as const;
    const nodes = nodesOf(wide as unknown as Written);
    const deep = Array.from({ length: 100_000 }, (_, at) => ({
      nodeId: `${at}`,
      childIds: [`${at + 1}`],
      backendDOMNodeId: at,
      role: { value: "generic" },
      name: { value: "" },
    }));
    const make = () => {
      expect(axText(nodes, () => [0, 0, 9, 9], asRecorded).places.size).toBe(100_001);
      expect(axText(deep, () => [0, 0, 9, 9], asRecorded).text).toBe("");
    };
    // Linear time takes a second, quadratic time minutes.
    expect(cpuMs(make)).toBeLessThan(20_000);
  }, 300_000);
});

describe("Python's formats", () => {
  test.each([
    ["it's", `"it's"`],
    [`it's "so"`, `'it\\'s "so"'`],
    ["a\\b\n\t\r", "'a\\\\b\\n\\t\\r'"],
    ["\u00a0\u200b\ue608\u0007é", "'\\xa0\\u200b\\ue608\\x07é'"],
    ["\u{1f600}\u{e0001}", "'\u{1f600}\\U000e0001'"],
    ["", "''"],
  ])("%j is formatted as by repr", (text, written) => {
    expect(pythonRepr(text)).toBe(written);
  });

  test.each([
    [null, "None"],
    [undefined, "None"],
    [true, "True"],
    [5, "5"],
    ["it's", "it's"],
    [["a", 1, null], "['a', 1, None]"],
    [{ a: false }, "{'a': False}"],
  ])("%j is formatted as by str", (value, written) => {
    expect(pythonStr(value)).toBe(written);
  });
});
