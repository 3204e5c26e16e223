/** The matrix of transfer: lines for a terminal, and a paper. */
import type { TransferCell, TransferMatrix, TransferModel } from "../../evaluation/transfer.js";
import type { Paper } from "../paper/paper.js";
import { estimated, intervalNote, intervalOf } from "./evaluation-text.js";

const note =
  "Success in percent. Rows: the run whose model is tested. Columns: the held-out tasks. A cell is the mean over the column's " +
  "task sets, each with the same weight. Every model plays with the format, the lengths and the temperature of its own run.";

const share = (value: number) => (100 * value).toFixed(1);

export function transferLines(matrix: TransferMatrix): string[] {
  const { columns, rows } = matrixTable(matrix);
  const widths = columns.map((column, at) =>
    Math.max(...[column, ...rows.map((row) => row[at] ?? "")].map((text) => text.length)),
  );
  const lines = [columns, ...rows].map((row) =>
    row
      .map((text, at) => text.padEnd(widths[at] as number))
      .join("  ")
      .trimEnd(),
  );
  return [...lines, ...reasons(matrix).map((text) => `note  ${text}`), `note  ${note}`];
}

export function transferPaper(matrix: TransferMatrix, command: string | undefined): Paper {
  const { models, tests, cells } = matrix;
  const setRows = cells.flatMap((row, at) =>
    row.flatMap(({ sets }) =>
      sets.map(({ set, success, episodes, failed }) => {
        return [
          rowLabel(models[at] as TransferModel, models),
          set,
          estimated(success, share),
          `${episodes}`,
          `${failed}`,
        ];
      }),
    ),
  );
  return {
    title: "Transfer",
    note: `${models.length} models on ${tests.length === 1 ? "one list" : `${tests.length} lists`} of held-out tasks.`,
    sections: [
      {
        heading: "Matrix",
        tables: [{ title: "", ...matrixTable(matrix) }],
        texts: [note, ...reasons(matrix), intervalNote],
      },
      {
        heading: "Task sets",
        tables: [{ title: "", columns: ["trained in", "task set", "success", "episodes", "failed"], rows: setRows }],
      },
      {
        heading: "Models",
        tables: [
          {
            title: "",
            columns: ["run", "seed", "model", "trained on"],
            rows: models.map(({ name, seed, model, trainedOn }) => [name, `${seed}`, model, trainedOn.join(", ")]),
          },
        ],
      },
      ...(command === undefined ? [] : [{ heading: "Command", facts: [["this report", command] as const] }]),
    ],
  };
}

function matrixTable({ models, tests, cells }: TransferMatrix) {
  return {
    columns: ["trained in", ...tests.map(({ label }) => label)],
    rows: models.map((model, at) => [rowLabel(model, models), ...tests.map((_, test) => cellText(cells[at]?.[test]))]),
  };
}

/** Names a row by the environments of its training tasks, and by its run if several runs have the same. */
function rowLabel(model: TransferModel, all: readonly TransferModel[]): string {
  const named = ({ trainedOn }: TransferModel) =>
    [...new Set(trainedOn.map((set) => set.split(":", 1)[0]))].join(" + ");
  const label = named(model);
  return all.filter((other) => named(other) === label).length === 1 ? label : `${label} (${model.name})`;
}

function cellText(cell: TransferCell | undefined): string {
  if (!cell) return "not played";
  return cell.mean ? `${share(cell.mean.value)} ${intervalOf(cell.mean, share)}` : "–";
}

function reasons({ models, cells }: TransferMatrix): string[] {
  return cells.flatMap((row, at) =>
    row.flatMap(({ sets }) =>
      sets.flatMap(({ set, reason }) => (reason === undefined ? [] : [`${models[at]?.name} on ${set}: ${reason}`])),
    ),
  );
}
