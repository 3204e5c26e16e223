/** The observation of a task: the task's text, the accessibility tree of the page, and the elements without text. */
import type { CDPSession } from "playwright";
import { axText, type Rect } from "../shared/browser/observation/ax-text.js";
import { capture } from "../shared/browser/observation/capture.js";

/** An element without text, such as an icon or a shape. */
export interface Mark {
  tag: string;
  id: string;
  classes: string;
  label: string;
  /** Text of the element if it is a drawn letter. */
  text: string;
  /** CSS color, or `""` if the element has no color. */
  colour: string;
  rect: Rect;
}

/** An element to which an action can refer. */
export interface Seen {
  /** Line of the element in the observation, without indentation. */
  line: string;
  rect: Rect | null;
  /** Chromium's node id. This id is set if the element is a node of the accessibility tree. */
  backendNodeId?: number;
  /** Index in the page's list of elements without text. */
  mark?: number;
}

export interface Sight {
  utterance: string;
  text: string;
  /** All elements, by the number in brackets. */
  seen: ReadonlyMap<string, Seen>;
  /** Elements without text, by the number in brackets. */
  marks: ReadonlyMap<string, Mark>;
}

/** A performed action, and the observation before that action. */
export interface PastStep {
  sight: Sight;
  action: string;
}

export const noSight: Sight = { utterance: "", text: "", seen: new Map(), marks: new Map() };

/** Observes the page. The tree covers the whole page, because each action scrolls its target element into view. */
export async function look(cdp: CDPSession, utterance: string, marks: readonly Mark[]): Promise<Sight> {
  const { nodes, rectOf } = await capture(cdp);
  const tree = axText(nodes, rectOf, { ids: "ordinal", isNoiseDropped: true, areRepeatsKept: true });
  const seen = new Map<string, Seen>(tree.places);
  const first = Math.max(0, ...[...seen.keys()].map(Number)) + 1;
  const numbered = marks.map((mark, at) => [`${first + at}`, mark] as const);
  for (const [at, [id, mark]] of numbered.entries())
    seen.set(id, { line: lineOf(id, mark), rect: mark.rect, mark: at });
  const lines = numbered.map(([id, mark]) => lineOf(id, mark));
  const text = [
    `TASK: ${utterance}`,
    "PAGE:",
    withoutRepeats(tree.text),
    ...(lines.length > 0 ? [heading, ...lines] : []),
  ].join("\n");
  return { utterance, text, seen, marks: new Map(numbered) };
}

/** Removes line breaks, and texts that equal the name of their parent element. */
function withoutRepeats(tree: string): string {
  const above: string[] = [];
  const kept = tree.split("\n").filter((line) => {
    const depth = /^\t*/.exec(line)?.[0].length ?? 0;
    const [, role, name] = /^\t*\[\d+\] (\S+) ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")/.exec(line) ?? [];
    above.length = depth;
    above.push(name ?? "");
    return role !== "LineBreak" && (role !== "StaticText" || name !== above[depth - 1]);
  });
  return kept.join("\n");
}

const heading = "ELEMENTS WITHOUT TEXT:";

function lineOf(id: string, { tag, id: name, classes, label, text, colour, rect }: Mark): string {
  const [x, y, width, height] = rect;
  const facts = Object.entries({ id: name, class: classes, label, text, colour }).filter(([, value]) => value !== "");
  const told = facts.map(([fact, value]) => ` ${fact}=${JSON.stringify(value)}`).join("");
  return `[${id}] ${tag}${told} at x=${x} y=${y} width=${width} height=${height}`;
}
