/** A page as it is now: its accessibility tree and the rectangles of its nodes, by two calls of the DevTools protocol. */
import type { CDPSession } from "playwright";
import type { AxNode, Rect } from "./ax-text.js";

export interface Capture {
  /** The root first. */
  nodes: readonly AxNode[];
  /**
   * Rectangle of a node of the page's main document, as `getBoundingClientRect` gives it: zeros for a node that is not
   * laid out, undefined for one that is not in the document or that a style has made, such as the mark of a list.
   */
  rectOf(backendNodeId: number): Rect | undefined;
}

const notLaidOut: Rect = [0, 0, 0, 0];
/** Nodes inside of form fields whose rectangles are asked for, two calls each. Those of further fields are not shown. */
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
 * Rectangle of a node inside of a form field, such as its text: a snapshot leaves out what the browser itself has put there.
 * Undefined where it has none.
 */
async function rectWithin(cdp: CDPSession, backendNodeId: number): Promise<Rect | undefined> {
  try {
    const { object } = await cdp.send("DOM.resolveNode", { backendNodeId });
    const call = { objectId: object.objectId as string, functionDeclaration: rectOfThis, returnByValue: true };
    const { result } = await cdp.send("Runtime.callFunctionOn", call);
    return Array.isArray(result.value) ? (result.value as unknown as Rect) : undefined;
  } catch {
    // It has gone since the tree was made.
    return undefined;
  }
}

const rectOfThis = `function () {
  const range = document.createRange();
  if (this.nodeType === Node.TEXT_NODE) range.selectNode(this);
  const { x, y, width, height } = (this.nodeType === Node.TEXT_NODE ? range : this).getBoundingClientRect();
  return [x, y, width, height];
}`;

/** Places in the list of nodes that are pseudo-elements, or stand in one. Parents come before their children. */
function styledNodes(nodes: SnapshotNodes | undefined): ReadonlySet<number> {
  const styled = new Set(nodes?.pseudoType?.index);
  if (styled.size === 0) return styled;
  for (const [index, parent] of nodes?.parentIndex?.entries() ?? []) if (styled.has(parent)) styled.add(index);
  return styled;
}

/** As far as it is read here. */
interface SnapshotNodes {
  parentIndex?: number[];
  pseudoType?: { index: number[] };
}
