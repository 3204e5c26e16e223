/**
 * Captures the accessibility tree of a page, and the rectangles of the tree's nodes, with two calls of the DevTools
 * protocol.
 */
import type { CDPSession } from "playwright";
import type { AxNode, Rect } from "./ax-text.js";

export interface Capture {
  /** Nodes, the root first. */
  nodes: readonly AxNode[];
  /**
   * Returns the rectangle of a node of the main document, like `getBoundingClientRect`. A node without layout has a
   * rectangle of zeros. Returns undefined for a node outside the document, and for a node that a style generates, such
   * as a list marker.
   */
  rectOf(backendNodeId: number): Rect | undefined;
}

const notLaidOut: Rect = [0, 0, 0, 0];
/**
 * Maximum number of nodes inside form fields whose rectangles are requested. Each rectangle takes two calls. Nodes
 * beyond this number are not shown.
 */
const mostWithin = 1_000;

export async function capture(cdp: CDPSession): Promise<Capture> {
  const [{ nodes }, { documents }] = await Promise.all([
    cdp.send("Accessibility.getFullAXTree"),
    cdp.send("DOMSnapshot.captureSnapshot", { computedStyles: [] }),
  ]);
  const rects = new Map<number, Rect>();
  const [main] = documents;
  const ids = main?.nodes.backendNodeId ?? [];
  const styled = styledNodes(main?.nodes);
  const known = new Set(ids);
  for (const [index, id] of ids.entries()) if (!styled.has(index)) rects.set(id, notLaidOut);
  const { nodeIndex = [], bounds = [] } = main?.layout ?? {};
  const [left, top] = [main?.scrollOffsetX ?? 0, main?.scrollOffsetY ?? 0];
  for (const [at, index] of nodeIndex.entries()) {
    if (styled.has(index)) continue;
    const [x = 0, y = 0, width = 0, height = 0] = bounds[at] ?? [];
    rects.set(ids[index] as number, [x - left, y - top, width, height]);
  }
  const within = nodes.flatMap(({ backendDOMNodeId: id }) => (id === undefined || known.has(id) ? [] : [id]));
  await Promise.all(
    within.slice(0, mostWithin).map(async (id) => {
      const rect = await rectWithin(cdp, id);
      if (rect) rects.set(id, rect);
    }),
  );
  return { nodes: nodes as readonly AxNode[], rectOf: (id) => rects.get(id) };
}

/**
 * Returns the rectangle of a node inside a form field, such as the field's text, or undefined. A DOM snapshot omits
 * these nodes, because the browser itself creates them.
 */
async function rectWithin(cdp: CDPSession, backendNodeId: number): Promise<Rect | undefined> {
  try {
    const { object } = await cdp.send("DOM.resolveNode", { backendNodeId });
    const call = { objectId: object.objectId as string, functionDeclaration: rectOfThis, returnByValue: true };
    const { result } = await cdp.send("Runtime.callFunctionOn", call);
    return Array.isArray(result.value) ? (result.value as unknown as Rect) : undefined;
  } catch {
    // The node has been removed since the tree was captured.
    return undefined;
  }
}

const rectOfThis = `function () {
  const range = document.createRange();
  if (this.nodeType === Node.TEXT_NODE) range.selectNode(this);
  const { x, y, width, height } = (this.nodeType === Node.TEXT_NODE ? range : this).getBoundingClientRect();
  return [x, y, width, height];
}`;

/**
 * Returns the indexes of pseudo-elements and their descendants. The list `nodes` contains each parent before its
 * children.
 */
function styledNodes(nodes: SnapshotNodes | undefined): ReadonlySet<number> {
  const styled = new Set(nodes?.pseudoType?.index);
  if (styled.size === 0) return styled;
  for (const [index, parent] of nodes?.parentIndex?.entries() ?? []) if (styled.has(parent)) styled.add(index);
  return styled;
}

/** The fields of a DOM snapshot that this module uses. */
interface SnapshotNodes {
  parentIndex?: number[];
  pseudoType?: { index: number[] };
}
