/** Checks of the spec, which need no instance. */
import type { Requirement, TaskSplit } from "../env.js";
import { countOf, defaultSplit, versionedId } from "../registry.js";
import { expectThat, mismatch } from "./expectations.js";
import { Skipped, type Subject } from "./subject.js";

/** Far above the second of the contract, which a busy machine can exceed. */
const PROBE_LIMIT_MS = 10_000;

export function isSentence(text: unknown): boolean {
  return typeof text === "string" && text.trim() === text && text !== "" && !/\n|[.!?]\s+\p{Lu}/u.test(text);
}

export function checkIdentity({ spec }: Subject): string {
  const idFits = typeof spec.id === "string" && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(spec.id);
  expectThat(idFits, "an id of lower-case letters, digits and dashes", spec.id);
  const versionFits = typeof spec.version === "string" ? isName(spec.version) : isVersion(spec.version);
  expectThat(versionFits, "version to be a positive integer, or a name that starts with a letter", spec.version);
  expectThat(isSentence(spec.summary), "summary to be one sentence", spec.summary);
  expectThat(
    typeof spec.prompt === "string" && spec.prompt.trim() !== "",
    "prompt to be a text that is not empty",
    spec.prompt,
  );
  const knowsFormat = spec.promptFormat === undefined || spec.promptFormat === "react";
  expectThat(knowsFormat, "promptFormat to be react, or absent", spec.promptFormat);
  expectThat(["clone", "replay", "none"].includes(spec.restore), "restore to be clone, replay or none", spec.restore);
  return versionedId(spec);
}

function isVersion(version: number): boolean {
  return Number.isInteger(version) && version >= 1;
}

/**
 * Whether a text is a valid name of an engine. A name must not consist of digits only, since it would be read as a
 * version number.
 */
function isName(version: string): boolean {
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(version);
}

function checkRange(range: readonly [number, number], name: string): void {
  const [low, high] = range;
  const ordered = Number.isFinite(low) && Number.isFinite(high) && low <= high;
  expectThat(ordered, `${name} to be two finite numbers, the lower number first`, range);
}

export function checkLimits({ spec }: Subject): string {
  const [low, high] = spec.rewardRange;
  checkRange(spec.rewardRange, "rewardRange");
  const { maxSteps } = spec;
  expectThat(Number.isInteger(maxSteps) && maxSteps >= 1, "maxSteps to be a positive integer", maxSteps);
  const { solvedReward = high } = spec;
  expectThat(Number.isFinite(solvedReward), "solvedReward to be a finite number", solvedReward);
  return `rewards from ${low} to ${high}, solved from ${solvedReward}, at most ${maxSteps} steps`;
}

export function checkOptions({ spec }: Subject): string {
  const options = Object.entries(spec.options ?? {});
  for (const [name, { summary, values }] of options) {
    expectThat(/^[\w-]+$/.test(name), "option names of letters, digits, dashes and underscores", name);
    expectThat(isSentence(summary), `the summary of the option ${name} to be one sentence`, summary);
    expectThat(Object.keys(values).length > 0, `the option ${name} to have at least one value`, values);
    for (const [value, its] of Object.entries(values)) {
      expectThat(
        isSentence(its.summary),
        `the summary of the value ${value} of the option ${name} to be one sentence`,
        its.summary,
      );
      if (its.rewardRange) checkRange(its.rewardRange, `rewardRange of ${name} ${value}`);
    }
  }
  return options.map(([name, { values }]) => `${name}: ${Object.keys(values).join(", ")}`).join("; ") || "none";
}

export function checkSplits(subject: Subject): string {
  const splits = Object.entries(subject.spec.splits);
  if (splits.length === 0) throw mismatch("at least one split", "none");
  const usual = defaultSplit(subject.spec);
  const names = splits.map(([name]) => name);
  expectThat(names.includes(usual), `defaultSplit to be one of ${names.join(", ")}`, usual);
  for (const [name, split] of splits) checkSplit(subject, name, split);
  return splits.map(([name, split]) => `${name} ${countOf(split)}${name === usual ? " (default)" : ""}`).join(", ");
}

function checkSplit(subject: Subject, name: string, split: TaskSplit): void {
  // A colon would make `split:index` ambiguous.
  expectThat(/^[\w.-]+$/.test(name), "split names of letters, digits, dots, dashes and underscores", name);
  expectThat(
    Number.isInteger(split.size) && split.size >= 1,
    `the size of the split ${name} to be a positive integer`,
    split.size,
  );
  expectThat(isSentence(split.summary), `the summary of the split ${name} to be one sentence`, split.summary);
  for (const [option, value] of Object.entries(split.options ?? {})) {
    const values = Object.keys(subject.spec.options?.[option]?.values ?? {});
    expectThat(
      values.includes(value),
      `the option ${option} of the split ${name} to be one of the environment's`,
      value,
    );
  }
  for (const { task } of subject.requests) {
    if (task.split !== name) continue;
    subject.note(`the title of ${name}:${task.index}`);
    const title = split.title(task.index);
    const named = typeof title === "string" && title.trim() !== "" && !title.includes("\n");
    expectThat(named, `the title of ${name}:${task.index} to be one line of text`, title);
  }
}

/** @throws {Skipped} a requirement is missing, so that no instance can be made */
export async function checkRequirements({ spec, note }: Subject): Promise<string> {
  const missing: string[] = [];
  for (const requirement of spec.requirements) {
    const { name, howToGet } = requirement;
    expectThat(/^[\w-]+$/.test(name), "the name of a requirement to be one word", name);
    expectThat(isSentence(howToGet), `howToGet of ${name} to be one sentence`, howToGet);
    note(`the probe of ${name}`);
    const { available, detail } = await probe(requirement);
    if (!available) missing.push(`${name} is missing: ${detail} (${howToGet})`);
  }
  if (missing.length > 0) throw new Skipped(missing.join("; "));
  return spec.requirements.map(({ name }) => name).join(", ") || "none";
}

async function probe(requirement: Requirement): Promise<{ available: boolean; detail: string }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const complain = () => reject(mismatch("an answer within ten seconds", "none", `the probe of ${requirement.name}`));
    timer = setTimeout(complain, PROBE_LIMIT_MS);
  });
  try {
    const answer = await Promise.race([requirement.probe(), late]);
    const isAnswer = typeof answer?.available === "boolean" && typeof answer.detail === "string";
    expectThat(isAnswer, "available and detail", answer, `the probe of ${requirement.name}`);
    return answer;
  } finally {
    clearTimeout(timer);
  }
}
