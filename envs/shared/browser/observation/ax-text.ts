/**
 * The accessibility tree as text, in the format of WebArena (Zhou et al. 2023; `processors.py` of the public package).
 * Each line is one node, `[id] role 'name' property: value`, and is indented by tabs.
 */
import { pythonRepr, pythonStr } from "./python-text.js";

/** A node of `Accessibility.getFullAXTree` (Chrome DevTools Protocol), with the fields that this module uses. */
export interface AxNode {
  nodeId: string;
  role?: { value?: unknown };
  name?: { value?: unknown };
  properties?: readonly { name: string; value: { value?: unknown } }[];
  childIds?: readonly string[];
  backendDOMNodeId?: number;
}

/** Rectangle in CSS pixels of the viewport: x, y, width and height, like `getBoundingClientRect`. */
export type Rect = readonly [number, number, number, number];

export interface AxTextOptions {
  /**
   * Size of the viewport in CSS pixels. Nodes outside the viewport are omitted. If undefined, the whole page is shown.
   */
  viewport?: { width: number; height: number } | undefined;
  /**
   * Numbering of nodes. The value `ordinal` numbers nodes from 1 in page order, so that identical pages get identical
   * numbers. The value `browser` uses Chromium's own node ids, as WebArena does. These ids depend on the pages that
   * were loaded before.
   */
  ids: "ordinal" | "browser";
  /**
   * Whether to omit link addresses and inline text boxes. Chromium did not yet report these details when the benchmark
   * was published.
   */
  isNoiseDropped: boolean;
  /** Whether to keep a text that also occurs in one of the three previous lines. WebArena omits repeated texts. */
  areRepeatsKept?: boolean;
}

/** An element or text on the page to which an action can refer. */
export interface Place {
  role: string;
  name: string;
  rect: Rect | null;
  /** Chromium's node id. This id is set if the observation is an accessibility tree. */
  backendNodeId?: number;
  /** Playwright's reference. The reference is set if the observation is Playwright's snapshot. */
  ref?: string;
  /** Line of the element in the observation, without indentation. */
  line: string;
}

export interface AxText {
  text: string;
  /** Elements by the number in brackets before each element. */
  places: ReadonlyMap<string, Place>;
}

const ignoredProperties = new Set(["focusable", "editable", "readonly", "level", "settable", "multiline", "invalid"]);
const noisyProperties = new Set(["url"]);
const noisyRoles = new Set(["InlineTextBox"]);

/** Roles of elements that are omitted if they have neither a name nor a property. */
const emptyRoles = new Set([
  "generic",
  "img",
  "list",
  "strong",
  "paragraph",
  "banner",
  "navigation",
  "Section",
  "LabelText",
  "Legend",
  "listitem",
]);

const leastVisible = 0.6;

/**
 * @param nodes all nodes of the tree, with the root first
 * @param rectOf returns the rectangle of a DOM node by its backend node id, or undefined
 */
export function axText(
  nodes: readonly AxNode[],
  rectOf: (backendNodeId: number) => Rect | undefined,
  options: AxTextOptions,
): AxText {
  const byId = new Map<string, AxNode>();
  for (const node of nodes) if (!byId.has(node.nodeId)) byId.set(node.nodeId, node);
  const places = new Map<string, Place>();
  const lines: string[] = [];
  const [root] = nodes;
  const waiting = root ? [{ node: root, depth: 0 }] : [];
  let count = 0;
  // The traversal is depth-first with an explicit stack, since a page may nest deeper than the call stack.
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node } = next;
    let { depth } = next;
    const rect = rectOfNode(node, rectOf);
    if (isShown(node, rect, options)) {
      const line = lineOf(node, options);
      if (line !== null) {
        count += 1;
        const id = options.ids === "ordinal" ? `${count}` : node.nodeId;
        lines.push(`${"\t".repeat(depth)}[${id}] ${line}`);
        // As in WebArena, a node without a DOM node is printed but is treated as not shown afterwards.
        if (node.backendDOMNodeId !== undefined) {
          const [role, name] = [`${node.role?.value}`, `${node.name?.value}`];
          places.set(id, { role, name, rect, backendNodeId: node.backendDOMNodeId, line: `[${id}] ${line}` });
          depth += 1;
        }
      }
    }
    const children = node.childIds ?? [];
    for (let at = children.length - 1; at >= 0; at--) {
      const child = byId.get(children[at] as string);
      if (child) waiting.push({ node: child, depth });
    }
  }
  return { text: (options.areRepeatsKept ? lines : withoutRepeats(lines)).join("\n"), places };
}

function rectOfNode(node: AxNode, rectOf: (backendNodeId: number) => Rect | undefined): Rect | null {
  if (node.backendDOMNodeId === undefined) return null;
  if (node.role?.value === "RootWebArea") return [0, 0, 10, 10];
  return rectOf(node.backendDOMNodeId) ?? null;
}

/** Whether the observation shows a node. If a node is hidden, its children take its position in the tree. */
function isShown(node: AxNode, rect: Rect | null, { viewport, isNoiseDropped }: AxTextOptions): boolean {
  if (isNoiseDropped && noisyRoles.has(`${node.role?.value}`)) return false;
  if (!viewport) return true;
  if (!rect) return false;
  const [x, y, width, height] = rect;
  if (width === 0 || height === 0) return false;
  const overlapWidth = Math.max(0, Math.min(x + width, viewport.width) - Math.max(x, 0));
  const overlapHeight = Math.max(0, Math.min(y + height, viewport.height) - Math.max(y, 0));
  // WebArena's formula should be the visible share of the area, but multiplies by the height. The formula is kept because it
  // decides which nodes are shown.
  return ((overlapWidth * overlapHeight) / width) * height >= leastVisible;
}

/** Returns the text that follows a node's number, or null if the node is omitted. */
function lineOf(node: AxNode, { isNoiseDropped }: AxTextOptions): string | null {
  const role = node.role?.value;
  const name = node.name?.value;
  if (typeof role !== "string" || typeof name !== "string") return null;
  const properties: string[] = [];
  for (const { name: property, value } of node.properties ?? []) {
    if (ignoredProperties.has(property) || value.value === undefined) continue;
    if (isNoiseDropped && noisyProperties.has(property)) continue;
    properties.push(`${property}: ${pythonStr(value.value)}`);
  }
  if (name.trim() === "") {
    if (properties.length === 0 && emptyRoles.has(role)) return null;
    if (properties.length > 0 && role === "listitem") return null;
  }
  return [role, pythonRepr(name), ...properties].join(" ");
}

/** Removes each text line whose text also occurs in one of the three previous lines. */
function withoutRepeats(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (const line of lines) {
    if (!line.toLowerCase().includes("statictext")) {
      kept.push(line);
      continue;
    }
    const said = /\[\d+\] StaticText (.+)/s.exec(line)?.[1]?.slice(1, -1);
    if (said && kept.slice(-3).every((before) => !before.includes(said))) kept.push(line);
  }
  return kept;
}
