/** Training runs and evaluations: a table to filter and sort, from which two are compared. */
import { useSignal } from "@preact/signals";
import { api, type RunRow } from "../../api.js";
import { percent } from "../../parts/charts/numbers.js";
import { Loaded } from "../../parts/loaded.js";
import { Scroll } from "../../parts/scroll.js";
import { goTo, linkTo } from "../../route.js";
import "./runs.css";

const columns = [
  { name: "run", of: ({ title }: RunRow) => title },
  { name: "kind", of: ({ kind }: RunRow) => kind },
  { name: "what", of: aboutOf },
  { name: "progress", of: progressOf },
  { name: "success", of: ({ summary }: RunRow) => summary.successRate ?? -1 },
  { name: "updated", of: ({ updatedAt }: RunRow) => updatedAt },
];

export function RunList() {
  return (
    <section class="run">
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
  const sort = useSignal({ column: 5, isUp: false });
  const chosen = useSignal<readonly string[]>([]);
  const { column, isUp } = sort.value;
  const of = columns[column]?.of as (row: RunRow) => string | number;
  const shown = runs
    .filter((row) => (kind.value === "" || row.kind === kind.value) && matches(row, text.value))
    .sort((a, b) => (isUp ? 1 : -1) * (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0));
  const [a, b] = chosen.value;
  const choose = (run: string, isChosen: boolean) => {
    const others = chosen.value.filter((other) => other !== run);
    chosen.value = isChosen ? [...others.slice(-1), run] : others;
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
        <button type="button" disabled={b === undefined} onClick={() => goTo(linkTo(["runs"], { a, b }))}>
          Compare the two chosen
        </button>
      </search>
      <Scroll label="Runs">
        <table>
          <thead>
            <tr>
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
          <tbody>
            {shown.map((row) => (
              <Row key={row.run} row={row} isChosen={chosen.value.includes(row.run)} onChoose={choose} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

interface RowProps {
  row: RunRow;
  isChosen: boolean;
  onChoose: (run: string, isChosen: boolean) => void;
}

function Row({ row, isChosen, onChoose }: RowProps) {
  const { run, title, kind, live, summary, updatedAt } = row;
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={`Compare ${run}`}
          checked={isChosen}
          onChange={({ currentTarget }) => onChoose(run, currentTarget.checked)}
        />
      </td>
      <td>
        <a href={linkTo(["runs", run])}>{title}</a> {live && <span class="badge good">live</span>}
      </td>
      <td>{kind}</td>
      <td>{aboutOf(row)}</td>
      <td>{progressOf(row)}</td>
      <td class="number">{percent(summary.successRate)}</td>
      <td>
        <time dateTime={updatedAt}>{new Date(updatedAt).toLocaleString()}</time>
      </td>
    </tr>
  );
}

function aboutOf(row: RunRow): string {
  const { summary } = row;
  const parts =
    "trainSteps" in summary
      ? [summary.algorithm, summary.model ?? "small default model"]
      : [summary.environment, summary.split, summary.policy];
  return parts.filter((part) => part !== null).join(" · ");
}

function progressOf({ summary }: RunRow): string {
  return "trainSteps" in summary
    ? `${summary.trainSteps} of ${summary.totalTrainSteps ?? "?"} train steps`
    : `${summary.episodes} of ${summary.planned ?? "?"} episodes`;
}

function matches(row: RunRow, text: string): boolean {
  const all = `${row.run} ${row.title} ${aboutOf(row)}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
