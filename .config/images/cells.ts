/** Text of a terminal as lines of coloured runs. It knows what our programs print: 24-bit colours and their reset. */

export interface Run {
  readonly text: string;
  /** `#rrggbb`, or undefined for the terminal's own colour. */
  readonly fore: string | undefined;
  readonly back: string | undefined;
}

export type Line = readonly Run[];

/** Returns the lines of a text, wrapped to a number of columns. */
export function linesOf(text: string, columns: number): Line[] {
  return text.split("\n").flatMap((line) => wrapped(runsOf(line), columns));
}

function runsOf(line: string): Run[] {
  let [fore, back]: (string | undefined)[] = [];
  const [plain = "", ...coloured] = line.split("\u001b[");
  const runs = coloured.map((part) => {
    const [, codes, text] = /^([\d;]*)m(.*)$/.exec(part) ?? [];
    if (codes === undefined || text === undefined)
      throw new Error(`expected a colour, but received the control sequence ${JSON.stringify(part)}`);
    const [kind, , ...colour] = codes.split(";").map(Number);
    if (kind === 38) fore = hex(colour);
    else if (kind === 48) back = hex(colour);
    else fore = back = undefined;
    return { text, fore, back };
  });
  return [{ text: plain, fore: undefined, back: undefined }, ...runs].filter(({ text }) => text !== "");
}

function hex(colour: readonly number[]): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Breaks a line where a terminal does: after its last column. */
function wrapped(runs: readonly Run[], columns: number): Line[] {
  const lines: Run[][] = [[]];
  let free = columns;
  for (const run of runs) {
    for (let rest = run.text; rest !== ""; ) {
      if (free === 0) {
        lines.push([]);
        free = columns;
      }
      const text = rest.slice(0, free);
      lines.at(-1)?.push({ ...run, text });
      rest = rest.slice(text.length);
      free -= text.length;
    }
  }
  return lines;
}
