/**
 * Converts Playwright's snapshot of a page for models to an observation: YAML with one line per element, including
 * elements in frames. Within a session, Playwright never reuses the numbers of its references, so elements are
 * renumbered from 1 in page order.
 */
import type { AxText, Place, Rect } from "./ax-text.js";

/** Regular expression for a line: white space, element, attributes in brackets, and the part after the colon. */
const element = /^(\s*- )([a-z]+(?: "(?:[^"\\]|\\.)*"| \/(?:[^/\\]|\\.)+\/)?)((?: \[[^\]]*\])*)(:.*)?$/;
/** Regular expression for a line in quotation marks. In YAML, names with a colon must be in quotation marks. */
const quoted = /^(\s*- )'((?:[^']|'')*)'(:.*)?$/;

/**
 * @param snapshot result of `page.ariaSnapshot({ mode: "ai", boxes: true })`
 * @param viewport size in CSS pixels; elements outside the viewport are omitted
 */
export function ariaText(snapshot: string, viewport: { width: number; height: number }): AxText {
  const places = new Map<string, Place>();
  const lines: string[] = [];
  /** Depth of the element that was omitted last. Its descendants are omitted, too. */
  let hiddenBelow = Number.POSITIVE_INFINITY;
  let count = 0;
  /** Prefix of the references in the page's own document. Each frame has a different prefix. */
  let own: string | undefined;
  for (const line of snapshot.split("\n")) {
    const depth = line.search(/\S/);
    if (depth > hiddenBelow) continue;
    hiddenBelow = Number.POSITIVE_INFINITY;
    const parts = element.exec(unquoted(line));
    if (!parts) {
      lines.push(line);
      continue;
    }
    const [, start = "", name = "", attributes = "", rest = ""] = parts;
    const { ref, rect, others } = readAttributes(attributes);
    own ??= documentOf(ref);
    if (ref !== undefined && documentOf(ref) === own && rect && !isSeen(rect, viewport)) {
      hiddenBelow = depth;
      continue;
    }
    if (ref === undefined) {
      lines.push(start + name + others + rest);
      continue;
    }
    count += 1;
    places.set(`${count}`, { ...readName(name), rect, ref, line: `[${count}] ${name}${others}` });
    lines.push(`${start}[${count}] ${name}${others}${rest}`);
  }
  return { text: lines.join("\n"), places };
}

function unquoted(line: string): string {
  const [, start = "", inner = "", rest = ""] = quoted.exec(line) ?? [];
  return start === "" ? line : start + inner.replaceAll("''", "'") + rest;
}

function readName(text: string): { role: string; name: string } {
  const [, role = "", name = '""'] = /^([a-z]+)(?: (.*))?$/.exec(text) ?? [];
  return { role, name: name.startsWith('"') ? (JSON.parse(name) as string) : name };
}

function readAttributes(text: string): { ref: string | undefined; rect: Rect | null; others: string } {
  const attributes = [...text.matchAll(/ \[([^\]]*)\]/g)].map(([, attribute]) => attribute as string);
  const given = (name: string) => attributes.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  const [x, y, width, height] = (given("box") ?? "").split(",").map(Number);
  const rect = height === undefined ? null : ([x, y, width, height] as Rect);
  const others = attributes.filter((one) => !/^(?:ref|box|cursor)=/.test(one)).map((one) => ` [${one}]`);
  return { ref: given("ref"), rect, others: others.join("") };
}

function documentOf(ref: string | undefined): string | undefined {
  return ref?.replace(/e\d+$/, "");
}

/** An element without a box of its own, such as one with `display: contents`, may have text and children that are seen. */
function isSeen([x, y, width, height]: Rect, viewport: { width: number; height: number }): boolean {
  if (x === 0 && y === 0 && width === 0 && height === 0) return true;
  return x < viewport.width && y < viewport.height && x + width > 0 && y + height > 0;
}
