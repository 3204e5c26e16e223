/** Checks of how the policy changes: entropy, KL and clipping. */
import { counted } from "../counted.js";
import { type Check, figure, finding, levelOf, percent, worseOf } from "./finding.js";
import { entropySteps, thresholds } from "./thresholds.js";
import { meanOf, sumOf, trainStepsOf, valuesOf } from "./window.js";

/** Collapse or explosion of the entropy, from the first train steps to the newest. */
export const entropy: Check = ({ records, settings }) => {
  const values = valuesOf(trainStepsOf(records), "actor/entropy");
  const count = Math.min(entropySteps, Math.floor(values.length / 2));
  if (count === 0) return undefined;
  const start = sumOf(values.slice(0, count)) / count;
  const now = sumOf(values.slice(-count)) / count;
  // A backend that does not report the entropy records 0.
  if (start <= 0) return undefined;
  const course = `Entropy went from ${figure(start)} to ${figure(now)} nats per token (${percent(now / start)} of the start)`;
  const fall = levelOf(now / start, thresholds.entropyFall, true);
  if (fall !== "green") {
    const bonus = settings.entropy_coef === 0 || settings.entropy_coef === undefined ? "Set" : "Raise";
    return finding(
      fall,
      `${course}: the policy hardly explores any more.`,
      `${bonus} \`entropy_coef\`, raise \`eps_clip_higher\` or \`temperature\`, or lower \`lr\`.`,
    );
  }
  const rise = levelOf(now / start, thresholds.entropyRise);
  const why = rise === "green" ? "" : ": the policy becomes random";
  return finding(rise, `${course}${why}.`, "Lower `lr` or `entropy_coef`, or raise `kl_ctl`.");
};

/** KL within an update, and to the reference policy. */
export const kl: Check = ({ latest }) => {
  const within = meanOf(latest, "actor/ppo_kl");
  const reference = meanOf(latest, "actor/kl_loss");
  if (within === undefined && reference === undefined) return undefined;
  const withinLevel = levelOf(within ?? 0, thresholds.updateKl);
  const referenceLevel = levelOf(reference ?? 0, thresholds.referenceKl);
  const parts = [
    ...(within === undefined ? [] : [`${figure(within)} within an update`]),
    ...(reference === undefined ? [] : [`${figure(reference)} to the reference policy`]),
  ];
  const change =
    referenceLevel === "green"
      ? "Lower `lr`, `update_epochs` or `ppo_n_minibatches`."
      : "Raise `kl_ctl`, or lower `lr`.";
  return finding(worseOf(withinLevel, referenceLevel), `KL is ${parts.join(" and ")}, in nats per token.`, change);
};

/** Tokens that the clip, or the cap of the behaviour weight, cut off. */
export const clipping: Check = ({ latest }) => {
  const clipped = meanOf(latest, "actor/pg_clipfrac");
  const cut = meanOf(latest, "actor/behav_imp_weight/cut");
  if (clipped === undefined && cut === undefined) return undefined;
  const clippedLevel = levelOf(clipped ?? 0, thresholds.clipping);
  const cutLevel = levelOf(cut ?? 0, thresholds.clipping);
  const parts = [
    ...(clipped === undefined ? [] : [`the clip cut off ${percent(clipped)} of the tokens`]),
    ...(cut === undefined ? [] : [`the cap of the behaviour weight cut ${percent(cut)}`]),
  ];
  const cause = `In ${counted(latest.length, "train step")}, ${parts.join(" and ")}.`;
  const change =
    clippedLevel === "green"
      ? "Lower `max_head_offpolicyness`, or raise `behav_imp_weight_cap`."
      : "Lower `lr`, `update_epochs` or `ppo_n_minibatches`, or raise `eps_clip`.";
  return finding(worseOf(clippedLevel, cutLevel), cause, change);
};
