/** A page as it is now: its accessibility tree and the rectangles of its nodes, by two calls of the DevTools protocol. */
import type { CDPSession } from "playwright";
import type { AxNode, Rect } from "./ax-text.js";

export interface Capture {
  /** The root first. */
  nodes: readonly AxNode[];
  /**
   * Rectangle of a node of the page's main document, as `getBoundingClientRect` gives it: zeros for a node that is not
   * laid out, undefined for one that is not in the document.
   */
  rectOf(backendNodeId: number): Rect | undefined;
}

const notLaidOut: Rect = [0, 0, 0, 0];

export async function capture(cdp: CDPSession): Promise<Capture> {
  const [{ nodes }, { documents }] = await Promise.all([
    cdp.send("Accessibility.getFullAXTree"),
    cdp.send("DOMSnapshot.captureSnapshot", { computedStyles: [] }),
  ]);
  const rects = new Map<number, Rect>();
  const [main] = documents;
  const ids = main?.nodes.backendNodeId ?? [];
  for (const id of ids) rects.set(id, notLaidOut);
  const { nodeIndex = [], bounds = [] } = main?.layout ?? {};
  const [left, top] = [main?.scrollOffsetX ?? 0, main?.scrollOffsetY ?? 0];
  for (const [at, index] of nodeIndex.entries()) {
    const [x = 0, y = 0, width = 0, height = 0] = bounds[at] ?? [];
    rects.set(ids[index] as number, [x - left, y - top, width, height]);
  }
  return { nodes: nodes as readonly AxNode[], rectOf: (id) => rects.get(id) };
}
