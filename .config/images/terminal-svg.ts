/**
 * A recording of a terminal as an SVG that plays by CSS, once. A viewer who asks for reduced motion sees the end of it.
 * All lines are in one column, which moves up behind a window.
 */
import { type Line, linesOf, type Run } from "./cells.js";
import { type Recording, size } from "./terminal.js";

const [charWidth, lineHeight, fontSize, margin] = [7.8, 16, 13, 16];
const [width, height] = [size.columns * charWidth + 2 * margin, size.rows * lineHeight + 2 * margin];
const seconds = { beforeTyping: 0.9, perCharacter: 0.035, beforeReply: 0.25, beforeCommand: 0.4 };

/** Lines that appear at a moment, or as they are typed. */
interface Scene {
  readonly at: number;
  /** Duration of typing; 0 for lines that appear at once. */
  readonly typing: number;
  readonly lines: readonly Line[];
}

export function terminalSvg(command: string, { opening, turns }: Recording): string {
  const scenes: Scene[] = [];
  let at = seconds.beforeCommand;
  const type = (mark: string, text: string) => {
    const typing = text.length * seconds.perCharacter;
    scenes.push({ at, typing, lines: linesOf(mark + text, size.columns) });
    at += typing + seconds.beforeReply;
  };
  const print = (text: string) => {
    scenes.push({ at, typing: 0, lines: linesOf(text.replace(/\n$/, ""), size.columns) });
    at += seconds.beforeTyping;
  };
  type("$ ", command);
  print(opening);
  for (const { typed, reply } of turns) {
    type("> ", typed);
    print(reply);
  }
  return draw(command, scenes, at);
}

function draw(command: string, scenes: readonly Scene[], end: number): string {
  let top = 0;
  const groups: string[] = [];
  const moves: { at: number; by: number }[] = [{ at: 0, by: 0 }];
  for (const { at, typing, lines } of scenes) {
    const steps = lines.flat().reduce((sum, { text }) => sum + text.length, 0);
    const animation =
      typing > 0 ? `type ${n(typing)}s steps(${steps}) ${n(at)}s both` : `show 1ms step-end ${n(at)}s both`;
    groups.push(`<g style="animation:${animation}">${drawLines(lines, top)}</g>`);
    top += lines.length;
    moves.push({ at, by: Math.max(0, top - size.rows) * lineHeight });
  }
  const frames = moves.map(({ at, by }) => `${n((100 * at) / end)}%{transform:translateY(-${by}px)}`).join("");
  const last = moves.at(-1)?.by ?? 0;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${n(width)} ${n(height)}" width="${n(width)}" height="${n(height)}" font-family="'Liberation Mono','DejaVu Sans Mono',monospace" font-size="${fontSize}">
<title>${escaped(command)}</title>
<style>
text{fill:#d7dae0;white-space:pre}
path{shape-rendering:crispEdges}
.all{transform:translateY(-${last}px);animation:move ${n(end)}s step-end both}
@keyframes move{${frames}100%{transform:translateY(-${last}px)}}
@keyframes show{from{opacity:0}to{opacity:1}}
@keyframes type{from{clip-path:inset(0 100% 0 0)}to{clip-path:inset(0 0 0 0)}}
@media (prefers-reduced-motion:reduce){g{animation:none!important}}
</style>
<rect width="100%" height="100%" rx="8" fill="#14161a"/>
<svg x="${margin}" y="${margin}" width="${n(size.columns * charWidth)}" height="${n(size.rows * lineHeight)}"><g class="all">
${groups.join("\n")}
</g></svg>
</svg>
`;
}

/** Draws lines, of which the first is line `top` of the column. */
function drawLines(lines: readonly Line[], top: number): string {
  const texts = lines.map((line, i) => (isPicture(line) ? "" : drawText(line, (top + i) * lineHeight)));
  const pixels = new Map<string, string>();
  for (const [i, line] of lines.entries()) if (isPicture(line)) addPixels(pixels, line, 2 * (top + i));
  const paths = [...pixels].map(([colour, d]) => `<path fill="${colour}" d="${d}"/>`).join("");
  return texts.join("") + (paths && `<g transform="scale(${charWidth} ${lineHeight / 2})">${paths}</g>`);
}

/** Pictures are lines of half blocks: each character has a pixel above another. */
function isPicture(line: Line): boolean {
  return line.length > 0 && line.every(({ text }) => /^\u2580+$/.test(text));
}

/** The length is given, so that any font fills the columns. */
function drawText(line: Line, top: number): string {
  const written = line
    .map(({ text }) => text)
    .join("")
    .trimEnd();
  if (written === "") return "";
  return `<text y="${top + fontSize}" textLength="${n(written.length * charWidth)}" xml:space="preserve">${escaped(written)}</text>`;
}

/** Adds the pixels of a line to the paths of their colours, in units of a pixel. */
function addPixels(paths: Map<string, string>, line: Line, top: number): void {
  for (const [side, y] of [
    ["fore", top],
    ["back", top + 1],
  ] as const) {
    for (const { from, length, colour } of stretchesOf(line, side)) {
      paths.set(colour, `${paths.get(colour) ?? ""}M${from} ${y}h${length}v1h-${length}z`);
    }
  }
}

function stretchesOf(line: Line, side: "fore" | "back") {
  const stretches: { from: number; length: number; colour: string }[] = [];
  let from = 0;
  for (const run of line) {
    const colour = run[side] as NonNullable<Run["fore"]>;
    const before = stretches.at(-1);
    if (before?.colour === colour) before.length += run.text.length;
    else stretches.push({ from, length: run.text.length, colour });
    from += run.text.length;
  }
  return stretches;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}
