/** Compares the rectangles of one snapshot with those of the page itself, node by node. */
import { readdirSync, readFileSync } from "node:fs";
import type { CDPSession } from "playwright";
import { expect } from "vitest";
import { capture } from "#palestra/envs/shared/browser/observation/capture.js";
import { openPage, openSite, testBrowser } from "../../../support/browsers.js";

const folder = new URL("../../../fixtures/webarena/pages/", import.meta.url);
const names = readdirSync(folder);
const pages = Object.fromEntries(names.map((name) => [`/${name}`, readFileSync(new URL(name, folder), "utf8")]));

/** Returns the rectangle of one node, by the calls that WebArena makes. */
async function rectOfNode(cdp: CDPSession, backendNodeId: number): Promise<number[] | undefined> {
  try {
    const { object } = await cdp.send("DOM.resolveNode", { backendNodeId });
    const functionDeclaration = `function () {
      if (this.nodeType !== 3) return this.getBoundingClientRect().toJSON();
      const range = document.createRange();
      range.selectNode(this);
      return range.getBoundingClientRect().toJSON();
    }`;
    const call = { objectId: object.objectId as string, functionDeclaration, returnByValue: true };
    const { result } = await cdp.send("Runtime.callFunctionOn", call);
    if (result.subtype === "error") return undefined;
    const { x, y, width, height } = result.value;
    return [x, y, width, height];
  } catch {
    return undefined;
  }
}

testBrowser(
  "one snapshot gives the rectangles of all nodes of a page, scrolled or not",
  async () => {
    const site = await openSite(pages);
    const { session, page } = await openPage({ hosts: [site.host] });
    const cdp = await session.cdp(page);
    let compared = 0;
    for (const name of names) {
      await session.goto(page, site.url(`/${name}`));
      for (const top of [0, 400]) {
        await page.evaluate(`document.scrollingElement.scrollTop = ${top}`);
        const { nodes, rectOf } = await capture(cdp);
        const differing: unknown[] = [];
        for (const { backendDOMNodeId: id, role, name: label } of nodes) {
          if (id === undefined || role?.value === "RootWebArea") continue;
          const [ours, theirs] = [rectOf(id), await rectOfNode(cdp, id)];
          compared += 1;
          // Blink counts in 64ths of a pixel.
          const isNear = ours?.every((value, at) => Math.abs(value - (theirs?.[at] ?? Number.NaN)) <= 1 / 32);
          if (ours === undefined ? theirs !== undefined : !isNear)
            differing.push({ page: name, role: role?.value, name: label?.value, ours, theirs });
        }
        expect(differing).toEqual([]);
      }
    }
    expect(compared).toBeGreaterThan(2_000);
    // WebArena makes two calls for each node, one after the other.
  },
  300_000,
);
