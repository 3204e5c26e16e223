/** Line diffs of texts. */

export interface DiffLine {
  kind: "same" | "added" | "removed" | "gap";
  text: string;
}

/** Number of context lines before and after a change. */
const around = 3;

/** Returns the diff of two texts. Common lines at the start and the end are omitted, except for context lines. */
export function diffOf(before: string, after: string): DiffLine[] {
  const [old, young] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < young.length && old[start] === young[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, young.length) - start && old.at(-1 - end) === young.at(-1 - end)) end += 1;
  const line = (kind: DiffLine["kind"]) => (text: string) => ({ kind, text });
  const first = Math.max(0, start - around);
  return [
    ...(first > 0 ? [{ kind: "gap", text: `@@ line ${first + 1} @@` } as const] : []),
    ...old.slice(first, start).map(line("same")),
    ...old.slice(start, old.length - end).map(line("removed")),
    ...young.slice(start, young.length - end).map(line("added")),
    ...young.slice(young.length - end, young.length - end + around).map(line("same")),
  ];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/**
 * Invents the diff of an earlier change of a file. The diff consists of a few lines of the file, one of which it shows
 * as added.
 */
export function diffWithin(text: string, seed: number): DiffLine[] {
  const lines = linesOf(text);
  const at = lines.length < 3 ? 0 : 1 + (seed % (lines.length - 2));
  const line = lines[at] ?? "";
  return [
    ...(at > 2 ? [{ kind: "gap", text: `@@ line ${at - 1} @@` } as const] : []),
    ...lines.slice(Math.max(0, at - 2), at).map((one) => ({ kind: "same", text: one }) as const),
    ...(seed % 3 === 0 ? [] : [{ kind: "removed", text: olderOf(line) } as const]),
    { kind: "added", text: line },
    ...lines.slice(at + 1, at + 3).map((one) => ({ kind: "same", text: one }) as const),
  ];
}

function olderOf(line: string): string {
  const number = /\d+/.exec(line);
  return number ? line.replace(number[0], `${Number(number[0]) + 1}`) : line.trimEnd().slice(0, -1);
}
