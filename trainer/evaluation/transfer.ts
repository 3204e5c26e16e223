/** Transfer between tasks: the models of training runs, each evaluated on the held-out tasks of all of these runs. */
import { type Estimate, type MacroMean, macroMean } from "./statistics.js";

/** A model, which is a row of the matrix. */
export interface TransferModel {
  /** Name of its run. */
  readonly name: string;
  readonly trainedOn: readonly string[];
  /** Folder of the model. */
  readonly model: string;
  readonly seed: unknown;
}

/** Held-out task sets, which are a column of the matrix. */
export interface TransferTest {
  readonly label: string;
  readonly sets: readonly string[];
}

/** Result of a model on a task set. */
export interface SetResult {
  readonly set: string;
  readonly episodes: number;
  readonly failed: number;
  /** Undefined if no episode was played to its end. */
  readonly success: Estimate | undefined;
  /** Reason why the set could not be played, as a sentence. */
  readonly reason?: string;
}

export interface TransferCell {
  readonly sets: readonly SetResult[];
  /** Mean over the sets, each with the same weight; undefined if a set has no result. */
  readonly mean: MacroMean | undefined;
}

export interface TransferMatrix {
  readonly format: 1;
  readonly models: readonly TransferModel[];
  readonly tests: readonly TransferTest[];
  /** Cells by model, then by test. Rows that were not played yet are missing. */
  readonly cells: readonly (readonly TransferCell[])[];
}

export function transferCell(sets: readonly SetResult[]): TransferCell {
  const estimates = sets.flatMap(({ success }) => (success ? [success] : []));
  return { sets, mean: estimates.length === sets.length ? macroMean(estimates) : undefined };
}

/** Returns the tests of runs: their different lists of held-out task sets, named by environment. */
export function transferTests(
  runs: readonly { readonly name: string; readonly sets: readonly string[] }[],
): TransferTest[] {
  const different = [...new Map(runs.map((run) => [JSON.stringify(run.sets), run])).values()];
  const labels = different.map(({ sets }) => [...new Set(sets.map((set) => set.split(":", 1)[0]))].join(" + "));
  return different.map(({ name, sets }, at) => {
    const label = labels[at] as string;
    const isAlone = labels.filter((other) => other === label).length === 1;
    return { label: isAlone ? label : `${label} of ${name}`, sets };
  });
}
