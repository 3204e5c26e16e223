/** A paper as Markdown. A chart is written as a table of its points. */
import { markdownTable } from "../evaluation/evaluation-markdown.js";
import type { Paper, PaperChart, PaperPoint, PaperSection } from "./paper.js";

/** Points of a chart that a table has. */
const mostPoints = 12;

export function paperMarkdown({ title, note, sections }: Paper): string {
  return `${[`# ${title}`, note, ...sections.flatMap(sectionOf)].join("\n\n")}\n`;
}

function sectionOf({ heading, texts = [], facts = [], tables = [], charts = [] }: PaperSection): string[] {
  return [
    `## ${heading}`,
    ...(facts.length > 0 ? [markdownTable(["", ""], facts)] : []),
    ...tables.flatMap(({ title, columns, rows }) => [...(title ? [`**${title}**`] : []), markdownTable(columns, rows)]),
    ...charts.flatMap((chart) => [`**${chart.title}**`, pointsTable(chart)]),
    ...texts,
  ];
}

function pointsTable({ across, isShare, series }: PaperChart): string {
  const steps = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const every = Math.max(1, (steps.length - 1) / (mostPoints - 1));
  const shown = steps.filter((_, at) => at === steps.length - 1 || Math.round(Math.round(at / every) * every) === at);
  const rows = shown.map((x) => [
    `${x}`,
    ...series.map(({ points }) =>
      pointText(
        points.find((point) => point.x === x),
        isShare,
      ),
    ),
  ]);
  return markdownTable([across, ...series.map(({ label }) => label)], rows);
}

function pointText(point: PaperPoint | undefined, isShare: boolean): string {
  if (!point) return "–";
  const write = (value: number) => (isShare ? (100 * value).toFixed(1) : value.toPrecision(3));
  const { y, low, high } = point;
  const interval = low === undefined || high === undefined ? "" : ` [${write(low)}, ${write(high)}]`;
  return `${write(y)}${isShare ? " %" : ""}${interval}`;
}
