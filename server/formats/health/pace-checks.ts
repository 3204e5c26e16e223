/** Checks of the asynchrony of a run: the age of its tokens, and idle time. */
import { counted } from "../counted.js";
import { type Check, figure, finding, levelOf, percent, worseOf } from "./finding.js";
import { thresholds } from "./thresholds.js";
import { meanOf, valuesOf } from "./window.js";

/** Age of the oldest tokens that were learned from. */
export const staleness: Check = ({ latest, settings }) => {
  const oldest = valuesOf(latest, "staleness/max");
  if (oldest.length === 0) return undefined;
  const isDecoupled = settings.use_decoupled_loss === true;
  const most = Math.max(...oldest);
  const level = levelOf(most, isDecoupled ? thresholds.decoupledStaleness : thresholds.staleness);
  const mean = meanOf(latest, "staleness/mean");
  const average = mean === undefined ? "" : `, and ${figure(mean)} on average`;
  if (most === 0) return finding(level, "Each token was sampled by the policy that learned from it.", "");
  const cause = `The oldest token was ${counted(most, "policy version")} old when it was learned from${average}.`;
  const change = isDecoupled
    ? "Lower `max_head_offpolicyness`."
    : "Lower `max_head_offpolicyness`, or turn on `use_decoupled_loss`.";
  return finding(level, cause, change);
};

/** Idle time of training and of generation. */
export const idle: Check = ({ latest, settings }) => {
  const training = meanOf(latest, "perf/idle/train");
  const generation = meanOf(latest, "perf/idle/generate");
  if (training === undefined && generation === undefined) return undefined;
  const trainingLevel = levelOf(training ?? 0, thresholds.idle);
  const generationLevel = levelOf(generation ?? 0, thresholds.idle);
  const parts = [
    ...(training === undefined ? [] : [`Training waited for episodes ${percent(training)} of the time`]),
    ...(generation === undefined ? [] : [`generation had nothing to do ${percent(generation)} of the time`]),
  ];
  const cause = `${parts.join(", and ").replace(/^g/, "G")}.`;
  return finding(
    worseOf(trainingLevel, generationLevel),
    cause,
    settings.max_head_offpolicyness === 0
      ? "Both take turns in a synchronous run: raise `max_head_offpolicyness`."
      : trainingLevel === "green"
        ? "Raise `max_concurrent_groups`."
        : "Raise `max_concurrent_groups`, or lower `max_new_tokens` or `max_rounds`; a slow gym has the same effect.",
  );
};
