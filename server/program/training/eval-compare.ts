/** `palestra eval --compare A B`: compares two evaluations that were played before. */
import { TrainerError } from "../../../trainer/errors.js";
import { readEvaluation } from "../../../trainer/evaluation/stored-evaluation.js";
import { comparisonJson, comparisonLines } from "../../../trainer/report/evaluation/comparison-text.js";
import { compareEvaluations, nothingInCommon } from "../../formats/outcomes/comparison.js";

/**
 * Prints the comparison.
 *
 * @param names names or folders of two evaluations
 * @param roots folders of evaluations
 * @throws {TrainerError} ARGUMENT_INVALID: not two evaluations, or without a common episode
 */
export async function compareStored(names: readonly string[], roots: readonly string[], json: boolean): Promise<void> {
  const [first, second, ...others] = names;
  if (first === undefined || second === undefined || others.length > 0) {
    const received = names.length === 1 ? `one: ${first}` : `${names.length}: ${names.join(", ")}`;
    throw new TrainerError("ARGUMENT_INVALID", `expected two evaluations after --compare, but received ${received}`);
  }
  const a = await readEvaluation(first, roots);
  const b = await readEvaluation(second, roots);
  const comparison = compareEvaluations(a, b);
  if (comparison.pairs === 0) {
    throw new TrainerError(
      "ARGUMENT_INVALID",
      `expected two evaluations with common episodes, but received ${first} and ${second}: ${nothingInCommon(a, b, comparison)}. ` +
        "Only episodes with the same environment, task, seed and options can be compared.",
    );
  }
  if (json) console.log(JSON.stringify(comparisonJson(a, b, comparison), null, 2));
  else for (const line of comparisonLines(a, b, comparison)) console.log(line);
}
