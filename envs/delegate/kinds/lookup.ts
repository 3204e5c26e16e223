import { type Kind, type Reading, wrongFor } from "./kind.js";
import { materialNames } from "./vocabulary.js";

const question = /\btable (\w+), what is the (\w+) of (\w+)\?/gi;
const page = /\btable (\w+), page \d+ of \d+: name ([\w ]+); ([^.]*)\./gi;
const pages = 3;

type Rows = Map<string, readonly string[]>;
interface Table {
  columns: readonly string[];
  rows: Rows;
}

export const lookup: Kind = {
  ask({ draw, vocabulary }) {
    const name = draw.one(Object.keys(materialNames().tables));
    const columns = draw.some(materialNames().tables[name] as readonly string[], 2);
    const perPage = draw.number(5, 7);
    const rows = draw
      .some(vocabulary.surnames, pages * perPage)
      .sort()
      .map((row) => [row, ...columns.map(() => `${draw.number(100, 999)}`)]);
    const parts = Array.from({ length: pages }, (_, at) => rows.slice(at * perPage, (at + 1) * perPage));
    const at = draw.number(0, pages - 1);
    const [key] = draw.one(parts[at] as string[][]);
    return {
      text: `In the table ${name}, what is the ${draw.one(columns)} of ${key}?`,
      source: { material: { name, pages: parts.map(textOf), labels: parts.map(labelOf) }, page: at },
    };

    function textOf(part: string[][], index: number): string {
      const lines = part.map((row) => row.join(" ")).join("; ");
      return `Table ${name}, page ${index + 1} of ${pages}: name ${columns.join(" ")}; ${lines}.`;
    }
  },
  read(request) {
    const tables = tablesIn(request);
    return [...request.matchAll(question)].map(([, name = "", column = "", key = ""]) =>
      read(name.toLowerCase(), tables.get(name.toLowerCase()), column.toLowerCase(), key),
    );
  },
};

function labelOf(part: string[][]): string {
  return `${part[0]?.[0]} to ${part.at(-1)?.[0]}`;
}

function tablesIn(request: string): Map<string, Table> {
  const tables = new Map<string, Table>();
  for (const [, name = "", columns = "", lines = ""] of request.matchAll(page)) {
    const table = tables.get(name.toLowerCase()) ?? { columns: columns.toLowerCase().split(" "), rows: new Map() };
    for (const line of lines.split(";")) {
      const [key = "", ...values] = line.trim().split(/\s+/);
      table.rows.set(key.toLowerCase(), values);
    }
    tables.set(name.toLowerCase(), table);
  }
  return tables;
}

function read(name: string, table: Table | undefined, column: string, key: string): Reading {
  if (!table) return { missing: `the table ${name}` };
  const at = table.columns.indexOf(column);
  const answer = table.rows.get(key.toLowerCase())?.[at];
  if (answer === undefined) return { missing: `the page of the table ${name} with the ${column} of ${key}` };
  const keys = [...table.rows.keys()];
  const place = keys.indexOf(key.toLowerCase());
  const near = keys.toSorted((one, other) => distance(one) - distance(other));
  const texts = [
    ...near.map((row) => table.rows.get(row)?.[at] ?? ""),
    ...near.flatMap((row) => table.rows.get(row) ?? []),
  ];
  return { problem: { subjects: [key.toLowerCase()], answer, wrong: wrongFor(answer, texts) } };

  function distance(row: string): number {
    return Math.abs(keys.indexOf(row) - place);
  }
}
