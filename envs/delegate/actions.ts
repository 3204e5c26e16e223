/**
 * Parses the actions of delegate. An action is the first line that begins with `ask` or `submit`, with the lines after it up
 * to the next such line.
 */
export type DelegateAction =
  | { verb: "ask"; helper: string; request: string }
  /** Answers by the number of their part. */
  | { verb: "submit"; answers: Map<number, string> }
  | { verb: "none" };

const start = /^[ \t]*(ask|submit)\b[ \t]*:?/im;
const answerStart = /(?:^|[;\n])[ \t]*(?:part[ \t]+)?#?(\d{1,3})[ \t]*(?:[:=)]|\.(?!\d))/gi;

export function readAction(text: string): DelegateAction {
  const found = start.exec(text);
  if (!found) return { verb: "none" };
  const rest = text.slice(found.index + found[0].length);
  const end = rest.search(start);
  const content = (end < 0 ? rest : rest.slice(0, end)).trim();
  if (found[1]?.toLowerCase() === "submit") return { verb: "submit", answers: answersIn(content) };
  const space = content.search(/\s/);
  const name = space < 0 ? content : content.slice(0, space);
  return {
    verb: "ask",
    helper: name.replace(/[:,]$/, "").toLowerCase(),
    request: content.slice(name.length).trim(),
  };
}

function answersIn(text: string): Map<number, string> {
  const starts = [...text.matchAll(answerStart)];
  return new Map(
    starts.map((found, at) => {
      const from = found.index + found[0].length;
      return [Number(found[1]), withoutSemicolon(text.slice(from, starts[at + 1]?.index).trim())];
    }),
  );
}

function withoutSemicolon(text: string): string {
  return text.endsWith(";") ? text.slice(0, -1).trimEnd() : text;
}
