/**
 * Plays the same episodes on both of ScienceWorld's engines, `sciworld` and `sciworld@jvm`, and prints for each task
 * how far the engines agree: `npx tsx test/peers/sciworld-engines.ts [--variations 10] [--tasks boil,melt] [--seed 0]`.
 *
 * Each variation is played twice: along the original's own solution, and by random actions that both engines offer.
 * Observations are compared as texts, and also without the order of their lines and lists, since version 1.2 of the
 * original orders objects differently from 1.3, the model of the native engine. The offered actions are compared by the
 * numbers of actions and types. A walk ends at the first difference.
 */
import { parseArgs } from "node:util";
import type { AsyncEnvironment, Environment, Options, StepResult } from "#palestra/envs/env.js";
import { fillOptions } from "#palestra/envs/registry.js";
import native from "#palestra/envs/sciworld/index.js";
import { JvmScienceWorld } from "#palestra/envs/sciworld/jvm/env.js";
import original from "#palestra/envs/sciworld/jvm/index.js";
import { Pcg64 } from "#palestra/envs/shared/rng/pcg64.js";
import { JvmProvider } from "#palestra/sandboxes/jvm/jvm-provider.js";
import { Pool } from "#palestra/sandboxes/pool.js";
import { Turns } from "#palestra/sandboxes/turns.js";

const { values } = parseArgs({
  options: {
    variations: { type: "string", default: "10" },
    tasks: { type: "string", default: "" },
    seed: { type: "string", default: "0" },
    /** Number of differences to print. */
    show: { type: "string", default: "0" },
  },
});

const actionsPerWalk = 30;
const { signal } = new AbortController();
const now = () => 0;

interface Tally {
  steps: number;
  sameText: number;
  sameTelling: number;
  sameScore: number;
  sameChoices: number;
  choices: number;
  goldDone: number;
  golds: number;
}

interface Choice {
  action: string;
  template_id: number;
  type_ids: number[];
}

/** A variation on both engines, kept in step. */
class Pair {
  private question: [string, string] = ["", ""];

  private constructor(
    private readonly ours: Environment,
    private readonly theirs: AsyncEnvironment,
    private readonly tally: Tally,
    private readonly name: string,
  ) {}

  static async begin(ours: Environment, theirs: AsyncEnvironment, task: string, index: number, tally: Tally) {
    const options: Options = fillOptions(native, { simplifications: "easy" });
    const request = { task: { split: task, index }, seed: 0, options };
    const pair = new Pair(ours, theirs, tally, `${task}:${index}`);
    pair.compare("reset", ours.reset(request).observation, (await theirs.reset(request, signal)).observation);
    return pair;
  }

  async goldPath(): Promise<string[]> {
    return (await original.queries?.["gold-path"]?.answer(this.theirs as never, signal)) as string[];
  }

  /** Returns the actions that both engines offer, in the same words. Each engine draws one unique name of an object. */
  async choices(): Promise<string[]> {
    const ask = { ours: native.queries?.["valid-actions"], theirs: original.queries?.["valid-actions"] };
    const ours = ask.ours?.answer(this.ours as never) as unknown as Choice[];
    const theirs = (await ask.theirs?.answer(this.theirs as never, signal)) as unknown as Choice[];
    this.tally.choices += 1;
    if (meaningsOf(ours) === meaningsOf(theirs)) this.tally.sameChoices += 1;
    const words = new Set(theirs.map(({ action }) => action));
    return ours.map(({ action }) => action).filter((action) => words.has(action));
  }

  /** @returns the original's result, and whether both observations have the same content */
  async step(action: string, oursFor = action): Promise<StepResult & { isSame: boolean }> {
    const [ours, theirs] = [this.ours.step(oursFor), await this.theirs.step(action, signal)];
    this.question = [ours.observation, theirs.observation];
    const isSame = this.compare(action, ours.observation, theirs.observation);
    const isSameScore = ours.info.score === theirs.info.score;
    if (isSameScore) this.tally.sameScore += 1;
    return { ...theirs, isSame: isSame && isSameScore };
  }

  /** Answers the question that both engines ask, by the meaning of a choice and not by its number. */
  answer(): Promise<StepResult & { isSame: boolean }> {
    const [ours, theirs] = this.question.map(meaningsByNumber) as [string[], string[]];
    return this.step("0", String(ours.indexOf(theirs[0] as string)));
  }

  private compare(action: string, ours: string, theirs: string): boolean {
    const isSame = tellingOf(ours) === tellingOf(theirs);
    this.tally.steps += action === "reset" ? 0 : 1;
    if (action !== "reset") {
      this.tally.sameText += ours === theirs ? 1 : 0;
      this.tally.sameTelling += isSame ? 1 : 0;
    }
    if (!isSame && shown < Number(values.show)) {
      shown += 1;
      console.log(`${this.name} ${action}\n  native   ${JSON.stringify(ours)}\n  original ${JSON.stringify(theirs)}`);
    }
    return isSame;
  }
}

let shown = 0;

/** Actions by their numbers and the types of their objects. */
function meaningsOf(choices: readonly Choice[]): string {
  return JSON.stringify(choices.map(({ template_id, type_ids }) => [template_id, ...type_ids].join()).sort());
}

/** The choices of a question. */
function meaningsByNumber(question: string): string[] {
  return [...question.matchAll(/^[0-9]+:\t(.*)$/gm)].map(([, meaning]) => meaning as string);
}

function emptyTally(): Tally {
  return { steps: 0, sameText: 0, sameTelling: 0, sameScore: 0, sameChoices: 0, choices: 0, goldDone: 0, golds: 0 };
}

/** Content of an observation without its order: lines, and the entries of lists within them. */
function tellingOf(text: string): string {
  const parts = text
    .split(/\n|, (?=an? |the |A )|\. (?=[A-Z])/)
    .map((part) => part.trim().replace(/^[0-9]+:\t|[.,]+$/g, ""));
  return parts.sort().join("\n");
}

async function playTask(task: string, theirs: AsyncEnvironment, rng: Pcg64): Promise<Tally> {
  const tally = emptyTally();
  const size = native.splits[task]?.size ?? 0;
  const count = Math.min(size, Number(values.variations));
  const ours = native.create({ now });
  for (let i = 0; i < count; i++) {
    const index = Math.floor((i * size) / count);
    const gold = await Pair.begin(ours, theirs, task, index, tally);
    await playGold(gold, tally);
    const walk = await Pair.begin(ours, theirs, task, index, tally);
    await wander(walk, rng);
  }
  return tally;
}

async function playGold(pair: Pair, tally: Tally): Promise<void> {
  tally.golds += 1;
  for (const action of await pair.goldPath()) {
    const result = await pair.step(action);
    if (!result.terminated) continue;
    if (result.info.score === 100) tally.goldDone += 1;
    return;
  }
}

/** The walk ends at the first difference, since later differences follow from it. */
async function wander(pair: Pair, rng: Pcg64): Promise<void> {
  let choices = await pair.choices();
  for (let i = 0; i < actionsPerWalk; i++) {
    // The list of actions is updated only now and then, so that the walk also tries actions that have become
    // impossible.
    if (i % 5 === 4) choices = await pair.choices();
    const action = choices[rng.integers(0, choices.length)] as string;
    let result = await pair.step(action);
    if (result.isSame && result.observation.startsWith("Ambiguous request")) result = await pair.answer();
    if (!result.isSame || result.terminated) return;
  }
}

const percent = (part: number, whole: number) => (whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`);
const columns = ["task", "steps", "same text", "same content", "same score", "same choices", "solution to 100"];

function row(task: string, tally: Tally): string {
  const { steps, sameText, sameTelling, sameScore, sameChoices, choices, goldDone, golds } = tally;
  const shares = [sameText, sameTelling, sameScore].map((part) => percent(part, steps));
  return `| ${[task, steps, ...shares, percent(sameChoices, choices), `${goldDone} of ${golds}`].join(" | ")} |`;
}

const jvm = new Pool(new JvmProvider(), { permits: new Turns({ most: 1 }), warmMs: 60_000, waitMs: 60_000 });
try {
  const theirs = new JvmScienceWorld({ now, sandboxes: { jvm } });
  const rng = new Pcg64(Number(values.seed));
  const chosen =
    values.tasks === ""
      ? Object.keys(native.splits).filter((name) => !/^(agentgym|train|dev|test)$/.test(name))
      : values.tasks.split(",");
  console.log(`| ${columns.join(" | ")} |\n|${"---|".repeat(columns.length)}`);
  const all = emptyTally();
  for (const task of chosen) {
    const tally = await playTask(task, theirs, rng);
    for (const key of Object.keys(all) as (keyof Tally)[]) all[key] += tally[key];
    console.log(row(task, tally));
  }
  console.log(row("all", all));
  await theirs.close();
} finally {
  await jvm.close();
}
