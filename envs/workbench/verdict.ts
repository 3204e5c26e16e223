import type { EpisodeEnd, Info, Verdict } from "../env.js";
import { brief, listed, rounded, span } from "../shared/verdicts/words.js";

/** Matches the line of a failed check: of a bundled task, or in the summary of pytest. */
const failedLine = /^(?:failed {2}|FAILED )(.+)$/gm;
const passedLine = /^(?:passed {2}|PASSED )(.+)$/gm;
const mostName = 80;

/** States the failed checks. @param graded `info` of each submitted stage, in order */
export function verdictOf(graded: readonly Info[], end: EpisodeEnd): Verdict {
  return { why: `${sentence(graded, end)}.` };
}

function sentence(graded: readonly Info[], end: EpisodeEnd): string {
  const { solved, result } = end;
  const { fault } = result.info;
  const last = graded.at(-1);
  if (!last) {
    if (result.terminated && typeof fault === "string")
      return `The episode ended ${span(end)} without a submission: ${brief(fault)}`;
    return `Did not submit the work ${span(end)}`;
  }
  const failing = graded.find((info) => !isPassed(info)) ?? last;
  if (solved) return `Submitted the work ${span(end)}, and ${passedChecks(last)}`;
  const stage = typeof failing.step === "string" ? ` of the step ${failing.step}` : "";
  return `Submitted the work ${span(end)}; ${failure(failing, stage)}`;
}

function isPassed(info: Info): boolean {
  return namesIn(info, failedLine).length === 0 && info.fault === undefined;
}

function passedChecks(info: Info): string {
  const passed = namesIn(info, passedLine).length;
  return passed === 0 ? "the verifier accepted it" : `it passed ${passed === 1 ? "the check" : `all ${passed} checks`}`;
}

function failure(info: Info, stage: string): string {
  const [failed, passed] = [namesIn(info, failedLine), namesIn(info, passedLine)];
  const { fault, rewards, verifierOutput } = info;
  if (failed.length > 0) {
    const all = failed.length + passed.length;
    const some = all === 1 ? `the check${stage}` : `${failed.length} of ${all} checks${stage}`;
    const names = failed.map((name) => brief(name, mostName));
    return `${some} failed: ${listed(names, 3)}`;
  }
  if (typeof fault === "string") return `the verifier${stage} gave no reward: ${brief(fault.replace(/\.$/, ""))}`;
  const given = Object.entries((rewards ?? {}) as Info).map(([name, value]) => `${name} ${rounded(Number(value))}`);
  const output = typeof verifierOutput === "string" ? (verifierOutput.trim().split("\n").at(-1) ?? "") : "";
  return `the verifier${stage} gave ${listed(given)}${output === "" ? "" : `, and said ${JSON.stringify(brief(output))}`}`;
}

function namesIn({ verifierOutput }: Info, line: RegExp): string[] {
  if (typeof verifierOutput !== "string") return [];
  return [...verifierOutput.matchAll(line)].map(([, name]) => (name as string).trim());
}
