/** `palestra eval --by-rounds A B`: success by rounds of evaluations that were played before, in one picture. */
import { basename, join } from "node:path";
import { type RoundsCurve, readRoundsCurve } from "../../../trainer/evaluation/rounds-curve.js";
import { roundsLines, roundsPaper } from "../../../trainer/report/evaluation/rounds-paper.js";
import { writePaper } from "../../../trainer/report/paper/paper-files.js";
import { folderName } from "./eval-run.js";

export interface StoredRequest {
  /** Folders of evaluations or of runs. */
  readonly roots: readonly string[];
  /** Folder of the report. Default: a folder under .palestra. */
  readonly out: string | undefined;
  readonly json: boolean;
  readonly command: string | undefined;
}

/**
 * Prints the success of evaluations within each number of rounds, and writes the report.
 *
 * @param names names or folders of evaluations
 * @throws {TrainerError} ARGUMENT_INVALID: there is no such evaluation
 */
export async function showRounds(names: readonly string[], request: StoredRequest): Promise<void> {
  const { roots, out, json, command } = request;
  const curves: RoundsCurve[] = [];
  for (const name of names) curves.push(await readRoundsCurve(name, roots));
  const folder = out ?? join(".palestra", "rounds", folderName(names.map((name) => basename(name))));
  const paper = roundsPaper(`Success by rounds: ${names.map((name) => basename(name)).join(", ")}`, curves, command);
  const page = writePaper(folder, paper, { format: 1, curves });
  if (json) console.log(JSON.stringify({ format: 1, curves }, null, 2));
  else for (const line of [...roundsLines(curves), `report  ${page}`]) console.log(line);
}
