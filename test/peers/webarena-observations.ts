/**
 * Holds our text of accessibility trees against that of WebArena's public package, on the same pages in the same Chromium, and
 * records some of them for test/envs/shared/browser/ax-text.test.ts:
 *
 *     npx tsx test/peers/webarena-observations.ts PYTHON CHROMIUM OUT.json.gz < addresses
 *
 * Each line of standard input is an address, and how often the page is scrolled by a screen: `http://127.0.0.1:8000/a.html 2`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright";
import { axText } from "#palestra/envs/shared/browser/observation/ax-text.js";
import { capture } from "#palestra/envs/shared/browser/observation/capture.js";

interface PeerNode {
  nodeId: string;
  childIds: string[];
  /** Position and size: x, y, width and height. */
  rect: number[] | null;
}

interface Observed {
  error?: string;
  viewport: string;
  whole: string;
  nodes: PeerNode[];
}

const port = 19_222;
const viewport = { width: 1280, height: 720 };
/** Largest number of nodes in a recorded page. */
const mostRecorded = 2_500;

const [python = "python3", program = "/usr/bin/chromium", out] = process.argv.slice(2);
const peer = spawn(python, [new URL("webarena-observations.py", import.meta.url).pathname, `${port}`, program], {
  stdio: ["pipe", "pipe", "inherit"],
});
const answers = createInterface(peer.stdout)[Symbol.asyncIterator]();
const answer = async () => JSON.parse((await answers.next()).value as string);
console.info(await answer());

const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
const page = browser.contexts().flatMap((context) => context.pages())[0];
if (!page) throw new Error("expected the peer's page, but received none");
const cdp = await page.context().newCDPSession(page);

/** Names of the differences, with the first differing lines. */
function differences(name: string, theirs: string, ours: string): string[] {
  if (theirs === ours) return [];
  const [one, other] = [theirs.split("\n"), ours.split("\n")];
  const at = one.findIndex((line, index) => line !== other[index]);
  return [`${name}, line ${at} of ${one.length} and ${other.length}:`, `  theirs ${one[at]}`, `  ours   ${other[at]}`];
}

const recorded: object[] = [];
let equal = 0;
let all = 0;
for await (const line of createInterface(process.stdin)) {
  const [url = "", scrolls = "0"] = line.trim().split(/\s+/);
  if (url === "") continue;
  peer.stdin.write(`${JSON.stringify({ url, scrolls: Number(scrolls) })}\n`);
  const theirs = (await answer()) as Observed;
  all += 1;
  if (theirs.error) {
    console.info(`${line}: the package fails: ${theirs.error}`);
    continue;
  }
  const { nodes, rectOf } = await capture(cdp);
  const title = `Tab 0 (current): ${await page.title()}\n\n`;
  const whole = axText(nodes, rectOf, { ids: "browser", isNoiseDropped: false }).text;
  const seen = axText(nodes, rectOf, { viewport, ids: "browser", isNoiseDropped: false }).text;
  const found = [
    ...differences("viewport", theirs.viewport, title + seen),
    ...differences("whole page", theirs.whole, title + whole),
  ];
  if (found.length === 0) equal += 1;
  console.info([`${line}: ${nodes.length} nodes, ${found.length === 0 ? "equal" : "different"}`, ...found].join("\n"));
  if (theirs.nodes.length <= mostRecorded) recorded.push({ page: line.replace(/^https?:\/\/[^/]+/, ""), ...theirs });
}
console.info(`${equal} of ${all} pages are equal`);
if (out) writeFileSync(out, gzipSync(JSON.stringify(recorded)));
peer.stdin.end();
await once(peer, "exit");
process.exit();
