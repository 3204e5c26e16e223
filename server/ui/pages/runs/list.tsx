/** Training runs and evaluations: a table to filter and sort, from which any number are compared. */
import { type Signal, useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { api, type RunRow } from "../../api.js";
import { counted, countText, dateText, percent } from "../../numbers.js";
import { useWindow } from "../../parts/lists/use-window.js";
import { Loaded } from "../../parts/loaded.js";
import { Scroll } from "../../parts/scroll.js";
import { Inline } from "../../parts/text.js";
import { readableLine } from "../../parts/visible-text.js";
import { goTo, linkTo } from "../../route.js";
import { progressText } from "./evaluation/evaluation-progress.js";
import { HealthMark } from "./training/health.js";
import { phaseText } from "./training/start.js";
import "./runs.css";

const columns = [
  { name: "run", of: ({ title }: RunRow) => title },
  { name: "health", of: healthRank },
  { name: "kind", of: ({ kind }: RunRow) => kind },
  { name: "what", of: aboutOf },
  { name: "progress", of: progressOf },
  { name: "success", of: ({ summary }: RunRow) => summary.successRate ?? -1 },
  { name: "updated", of: ({ updatedAt }: RunRow) => updatedAt },
];

export function RunList() {
  return (
    <section class="run run-list">
      <h1>Runs</h1>
      <Loaded of="" load={api.runs}>
        {({ runs }) => (runs.length === 0 ? <NoRuns /> : <RunTable runs={runs} />)}
      </Loaded>
    </section>
  );
}

function NoRuns() {
  return (
    <p>
      There are no runs in the gym's folders of runs. <code>palestra train</code> and <code>palestra eval</code> make
      some; the setting <code>runs</code> names the folders.
    </p>
  );
}

function RunTable({ runs }: { runs: readonly RunRow[] }) {
  const text = useSignal("");
  const kind = useSignal("");
  const sort = useSignal({ column: 6, isUp: false });
  const chosen = useSignal<readonly string[]>([]);
  const { column, isUp } = sort.value;
  const shown = useMemo(() => {
    const of = columns[column]?.of as (row: RunRow) => string | number;
    return runs
      .filter((row) => (kind.value === "" || row.kind === kind.value) && matches(row, text.value))
      .sort((a, b) => (isUp ? 1 : -1) * (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0));
  }, [runs, kind.value, text.value, sort.value]);
  const choose = (run: string, isChosen: boolean) => {
    const others = chosen.value.filter((other) => other !== run);
    chosen.value = isChosen ? [...others, run] : others;
  };
  return (
    <>
      <search class="controls">
        <input
          type="search"
          aria-label="Filter runs"
          placeholder="Filter"
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
        <select
          aria-label="Kind"
          onChange={({ currentTarget }) => {
            kind.value = currentTarget.value;
          }}
        >
          <option value="">all kinds</option>
          <option>training</option>
          <option>evaluation</option>
        </select>
        <button
          type="button"
          disabled={chosen.value.length < 2}
          onClick={() => goTo(linkTo(["runs"], { run: chosen.value }))}
        >
          {chosen.value.length < 2 ? "Choose runs to compare" : `Compare ${counted(chosen.value.length, "run")}`}
        </button>
      </search>
      <RunRows label="Runs" rows={shown} sort={sort} chosen={chosen.value} onChoose={choose} />
    </>
  );
}

interface RunRowsProps {
  label: string;
  rows: readonly RunRow[];
  sort: Signal<{ column: number; isUp: boolean }>;
  chosen: readonly string[];
  onChoose: (run: string, isChosen: boolean) => void;
}

/** Height of a row in pixels, as the styles have it. */
const rowHeight = 36;

/** The table, with the rows in view only. */
function RunRows({ label, rows, sort, chosen, onChoose }: RunRowsProps) {
  const box = useRef<HTMLElement>(null);
  const { first, end, onScroll } = useWindow(box, rows.length, rowHeight);
  return (
    <Scroll label={label} box={box} onScroll={onScroll}>
      <table aria-rowcount={rows.length + 1}>
        <Heads sort={sort} />
        <tbody>
          <Space rows={first} />
          {rows.slice(first, end).map((row, i) => (
            <Row key={row.run} row={row} index={first + i} isChosen={chosen.includes(row.run)} onChoose={onChoose} />
          ))}
          <Space rows={rows.length - end} />
        </tbody>
      </table>
    </Scroll>
  );
}

function Heads({ sort }: Pick<RunRowsProps, "sort">) {
  const { column, isUp } = sort.value;
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th aria-label="Choose" />
        {columns.map(({ name }, index) => (
          <th key={name} aria-sort={index === column ? (isUp ? "ascending" : "descending") : undefined}>
            <button
              type="button"
              class="sort"
              onClick={() => {
                sort.value = { column: index, isUp: index === column && !isUp };
              }}
            >
              {name} {index === column && (isUp ? "↑" : "↓")}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The place of rows that are not rendered. */
function Space({ rows }: { rows: number }) {
  if (rows === 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: the row has no cell that can take the focus
    <tr aria-hidden="true" class="space" style={{ height: `${rows * rowHeight}px` }}>
      <td colSpan={columns.length + 1} />
    </tr>
  );
}

interface RowProps {
  row: RunRow;
  index: number;
  isChosen: boolean;
  onChoose: (run: string, isChosen: boolean) => void;
}

function Row({ row, index, isChosen, onChoose }: RowProps) {
  const { run, title, kind, live, summary, updatedAt } = row;
  return (
    <tr data-row={index} aria-rowindex={index + 2}>
      <td>
        <input
          type="checkbox"
          aria-label={`Compare ${readableLine(run, 120)}`}
          checked={isChosen}
          onChange={({ currentTarget }) => onChoose(run, currentTarget.checked)}
        />
      </td>
      <td>
        <a href={linkTo(["runs", run])}>
          <Inline text={title} most={120} />
        </a>{" "}
        {live && <span class="badge good">live</span>}
      </td>
      <td>{"health" in summary ? <HealthMark health={summary.health} /> : ""}</td>
      <td>{kind}</td>
      <td>
        <Inline text={aboutOf(row)} most={200} />
      </td>
      <td>{progressOf(row)}</td>
      <td class="number">{percent(summary.successRate)}</td>
      <td>
        <time dateTime={updatedAt}>{dateText(updatedAt)}</time>
      </td>
    </tr>
  );
}

/** Returns the rank of a run's health, so that the worst ones come first when the column is sorted. */
function healthRank({ summary }: RunRow): number {
  const level = "health" in summary ? summary.health?.level : undefined;
  return level === undefined ? 3 : ["red", "amber", "green"].indexOf(level);
}

function aboutOf(row: RunRow): string {
  const { summary } = row;
  const parts =
    "trainSteps" in summary
      ? [summary.algorithm, summary.model ?? "small default model"]
      : [summary.environment, summary.split, summary.policy];
  return parts.filter((part) => part !== null).join(" · ");
}

function progressOf({ summary, live }: RunRow): string {
  if ("progress" in summary && summary.progress) return progressText(summary.progress, live);
  if ("start" in summary && summary.start && summary.trainSteps === 0) return phaseText(summary.start);
  return "trainSteps" in summary
    ? ofTotal(summary.trainSteps, summary.totalTrainSteps, "train step")
    : ofTotal(summary.episodes, summary.planned, "episode");
}

function ofTotal(done: number, total: number | null, noun: string): string {
  return total === null ? counted(done, noun) : `${countText(done)} of ${counted(total, noun)}`;
}

function matches(row: RunRow, text: string): boolean {
  const all = `${row.run} ${row.title} ${aboutOf(row)}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
