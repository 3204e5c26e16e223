/** Checks of whether a run learns: gradients, differences within groups, and the success on held-out tasks. */
import { counted } from "../counted.js";
import { type Check, finding, levelOf, percent } from "./finding.js";
import { evaluationsToGain, thresholds } from "./thresholds.js";
import { evaluationsOf, fieldOf, type HealthRecord, type HeldOutPoint, meanOf, sumOf, valuesOf } from "./window.js";

/** Share of solved episodes from which tasks are too easy, or up to which they are too hard. */
const easy = 0.9;
const hard = 0.1;

/** Train steps without a gradient. */
export const gradient: Check = ({ latest, settings }) => {
  const steps = valuesOf(latest, "actor/no_gradient");
  if (steps.length === 0) return undefined;
  const without = latest.filter((record) => fieldOf(record, "actor/no_gradient") === 1);
  const level = levelOf(without.length / steps.length, thresholds.gradient);
  const had = `${without.length} of ${counted(steps.length, "train step")} had no gradient`;
  if (without.length === 0) return finding(level, `Each of ${counted(steps.length, "train step")} had a gradient.`, "");
  const groups = sumOf(valuesOf(without, "groups/count")) - sumOf(valuesOf(without, "groups/too_small"));
  const equal = sumOf(valuesOf(without, "groups/zero_variance"));
  const why = equal > 0 && equal >= groups ? "every group had equal rewards" : "every advantage was 0";
  return finding(level, `${had}: ${why}${outcomeOf(latest)}.`, changeOfTasks(latest, settings));
};

/** Groups whose rewards are all equal, those included that dynamic sampling replaced. */
export const variance: Check = ({ latest, settings }) => {
  const filtered = sumOf(valuesOf(latest, "groups/filtered"));
  const tooSmall = sumOf(valuesOf(latest, "groups/too_small"));
  const groups = sumOf(valuesOf(latest, "groups/count")) + filtered - tooSmall;
  if (groups <= 0) return undefined;
  const equal = sumOf(valuesOf(latest, "groups/zero_variance")) + filtered;
  const level = levelOf(equal / groups, thresholds.variance);
  const cause = `${equal} of ${counted(groups, "group")} had equal rewards (${percent(equal / groups)})${outcomeOf(latest)}.`;
  return finding(level, cause, changeOfTasks(latest, settings));
};

function outcomeOf(latest: readonly HealthRecord[]): string {
  const success = meanOf(latest, "episode/success_rate");
  return success === undefined ? "" : `, and ${percent(success)} of the episodes were solved`;
}

/** Names what makes the rewards of a group differ, by whether the tasks are too easy, too hard, or neither. */
function changeOfTasks(latest: readonly HealthRecord[], settings: Readonly<Record<string, unknown>>): string {
  const success = meanOf(latest, "episode/success_rate") ?? 0.5;
  if (success >= easy) return "The tasks are too easy: choose harder ones with `train_tasks`.";
  if (success <= hard)
    return "The tasks are too hard: clone experts first with `clone_episodes`, allow more replies with `max_rounds`, or choose easier ones with `train_tasks`.";
  const filter = settings.dynamic_sampling === undefined && settings.algorithm !== "dapo";
  return `Play more rollouts of a task with \`n_samples\`, or raise \`temperature\`${filter ? ", or replace such groups with `dynamic_sampling`" : ""}; \`task_mixing\` learnability prefers task sets of mixed success.`;
}

/** The trend of the success on held-out tasks. */
export const heldOut: Check = ({ records }) => {
  const evaluations = evaluationsOf(records);
  const [first, last] = [evaluations[0], evaluations.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const best = evaluations.reduce((most, one) => (one.success > most.success ? one : most));
  const { amber, red } = thresholds.heldOutFall;
  const course = `Held-out success went from ${percent(first.success)} to ${percent(last.success)} in ${counted(evaluations.length, "evaluation")}`;
  if (errorsBetween(first, last) <= -red) {
    const change = "Lower `lr`, or hold the policy near its start with `kl_ctl`.";
    return finding("red", `${course}: it is lower than at the start.`, change);
  }
  if (errorsBetween(best, last) <= -amber) {
    const fell = `${course}, and fell from its best of ${percent(best.success)} at train step ${best.step}.`;
    return finding("amber", fell, "Use the checkpoint `best`, lower `lr`, or raise `kl_ctl`.");
  }
  if (errorsBetween(first, last) >= red) return finding("green", `${course}.`, "");
  if (evaluations.length < evaluationsToGain)
    return finding("green", `${course}: too few evaluations to see a trend.`, "");
  const change =
    "Evaluate on more episodes with `eval_episodes`, train longer with `total_train_steps`, or raise `lr`.";
  return finding("amber", `${course}: the change is within the error of the evaluations.`, change);
};

/** Returns the change from one evaluation to another as a multiple of its standard error. */
function errorsBetween(from: HeldOutPoint, to: HeldOutPoint): number {
  const variance = [from, to].reduce((sum, { success, episodes }) => {
    // Agresti's and Coull's correction, without which a success of 0 or 1 would have no error.
    const trials = (episodes ?? assumedEpisodes) + 4;
    const share = (success * (trials - 4) + 2) / trials;
    return sum + (share * (1 - share)) / trials;
  }, 0);
  return (to.success - from.success) / Math.sqrt(variance);
}

/** Episodes of an evaluation that did not record their number: the default of `eval_episodes`. */
const assumedEpisodes = 50;
