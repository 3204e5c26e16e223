/** Reads the actions of a bargain: `say TEXT`, `keep 2 books, 1 hat`, `accept` or `walk away`. */
import { type Amounts, goods } from "./deal.js";

export type BargainAction =
  | { kind: "say"; text: string }
  /** Pieces of each good that the seat wants to keep; the other seat gets the rest. */
  | { kind: "keep"; amounts: Amounts }
  | { kind: "accept" }
  | { kind: "walk" }
  | { kind: "invalid"; expected: string };

const forms = "`say TEXT`, `keep 2 books, 1 hat`, `accept` or `walk away`";

export function readAction(text: string): BargainAction {
  const trimmed = text.trim();
  const [, verb = "", rest = ""] = /^([a-z]+)\b[ \t:]*([\s\S]*)$/i.exec(trimmed) ?? [];
  switch (verb.toLowerCase()) {
    case "say":
      return rest.trim() === ""
        ? { kind: "invalid", expected: "words after `say`" }
        : { kind: "say", text: rest.trim() };
    case "keep":
    case "propose":
      return readKept(rest);
    case "accept":
      return isAlone(rest, ["", "it", "the proposal", "the offer"])
        ? { kind: "accept" }
        : { kind: "invalid", expected: forms };
    case "walk":
      return isAlone(rest, ["", "away"]) ? { kind: "walk" } : { kind: "invalid", expected: forms };
    default:
      return { kind: "invalid", expected: forms };
  }
}

/** Whether nothing else follows a verb that ends the game, so that talk is not taken for it. */
function isAlone(rest: string, forms: readonly string[]): boolean {
  return forms.includes(
    rest
      .trim()
      .toLowerCase()
      .replace(/[.!]+$/, ""),
  );
}

/** Reads amounts such as `2 books and 1 hat`, or `nothing`. */
function readKept(text: string): BargainAction {
  const amounts = goods.map(() => 0);
  const listed = text.trim().replace(/\.$/, "").toLowerCase();
  if (listed === "nothing") return { kind: "keep", amounts };
  for (const part of listed.split(/\s*(?:,|\band\b)\s*/).filter(Boolean)) {
    const [, count, name] = /^(\d{1,3}|a|an|one|two|three|four|no)\s+([a-z]+)$/.exec(part) ?? [];
    const at = goods.findIndex((names) => (names as readonly string[]).includes(name ?? ""));
    if (count === undefined || at < 0) return { kind: "invalid", expected: "goods such as `keep 2 books, 1 hat`" };
    amounts[at] = (amounts[at] as number) + numberOf(count);
  }
  return listed === ""
    ? { kind: "invalid", expected: "goods after `keep`, or `keep nothing`" }
    : { kind: "keep", amounts };
}

const words: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, no: 0 };

function numberOf(count: string): number {
  return words[count] ?? Number(count);
}
