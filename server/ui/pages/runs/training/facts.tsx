/** Parts of the pages of runs: tiles, and tables of names and values. */
import { Scroll } from "../../../parts/scroll.js";
import { Inline, Text } from "../../../parts/text.js";
import type { Tile } from "./training-data.js";
import "../runs.css";

export function Tiles({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <dl class="tiles">
      {tiles.map(({ label, value, more }) => (
        <div class="tile" key={label}>
          <dt>
            <Inline text={label} most={120} />
          </dt>
          <dd>
            <b>{value}</b>
            {more !== undefined && <span class="quiet">{more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A table of names and values. Values that are no text are shown as JSON. */
export function Facts({ label, facts }: { label: string; facts: readonly (readonly [string, unknown])[] }) {
  const given = facts.filter(([, value]) => value !== undefined);
  if (given.length === 0) return <p class="quiet">none</p>;
  return (
    <Scroll label={label} class="card">
      <table class="facts">
        <tbody>
          {given.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">
                <Inline text={name} most={120} />
              </th>
              <td>
                <Value text={typeof value === "string" ? value : JSON.stringify(value)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Characters of a value that is shown within a line. */
const mostInLine = 400;

function Value({ text }: { text: string }) {
  const isLong = text.length > mostInLine || text.includes("\n");
  return isLong ? <Text text={text} most={2_000} /> : <Inline text={text} />;
}

interface TableProps {
  label: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** Rows that are shown quietly, such as figures that others published. */
  quoted?: readonly (readonly string[])[];
  /** Whether the columns after the first are aligned to the right. */
  areNumbers?: boolean;
}

/** A table of texts. The first column names the row. */
export function TextTable({ label, columns, rows, quoted = [], areNumbers = false }: TableProps) {
  const all = [...rows.map((row) => ({ row, isQuoted: false })), ...quoted.map((row) => ({ row, isQuoted: true }))];
  const className = areNumbers ? "number" : undefined;
  return (
    <Scroll label={label} class="card">
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} class={index === 0 ? undefined : className}>
                <Inline text={column} most={120} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {all.map(({ row, isQuoted }, index) => (
            <tr key={index} class={isQuoted ? "quiet" : undefined}>
              {row.map((text, column) => (
                <td key={column} class={column === 0 ? undefined : className}>
                  <Inline text={text} most={600} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
