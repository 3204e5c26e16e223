import { TrainerError } from "../errors.js";

/**
 * Presets of published benchmarks. `agentgym-rl` is AgentGym-RL (Xi et al. 2025). The round caps are those of its
 * evaluation scripts, except for `searchqa`; prompts and replies have the format of its clients.
 *
 * The authors publish the test sets as lists of ids with a separate license (AgentGym/AgentGym-RL-Data-ID, CC BY-NC
 * 4.0). The lists are not part of this program; `--tasks FILE` reads them. Without that file, the same number of tasks
 * of the same kinds is played, and the report states this.
 */
export interface Benchmark {
  /** Maximum number of replies in an episode. */
  readonly maxRounds: number;
  /** Action format that the benchmark's client uses. */
  readonly format: string;
  /** Split whose indices are the published ids. */
  readonly idSplit: string;
  /** Tasks to play if no file of ids is given. */
  readonly standIn: { readonly split: string; readonly tasks: readonly number[]; readonly note: string };
  readonly options?: Readonly<Record<string, string>>;
  /** Remedy if the gym does not have the split `idSplit`. */
  readonly howToGetIds?: string;
}

const unpublished = "the published test ids are not part of this program; give them with --tasks FILE";

/** Number of variations of each of SciWorld's 23 task types, in the order of AgentGym's ids. */
const sciworldVariations = [
  30, 30, 30, 30, 540, 436, 300, 20, 20, 900, 600, 300, 300, 300, 300, 32, 36, 36, 125, 125, 125, 14, 10,
];

const agentgymRl: ReadonlyMap<string, Benchmark> = new Map<string, Benchmark>([
  [
    "textcraft",
    {
      maxRounds: 30,
      format: "agentgym",
      idSplit: "all",
      standIn: {
        split: "test",
        tasks: upTo(100),
        note: `100 goals spread over all depths, as many as AgentGym's test set has: ${unpublished}. Which goal an id means depends on the order of a directory on the authors' machine, so that even with it the goals are not theirs one by one.`,
      },
    },
  ],
  [
    "babyai",
    {
      maxRounds: 20,
      format: "agentgym",
      idSplit: "agentgym",
      standIn: {
        split: "agentgym",
        tasks: upTo(90),
        note: `data_idx 0 to 89, as many as AgentGym's test set has, which are each of its 40 levels with the first two or three seeds: ${unpublished}.`,
      },
      // In AgentGym's server, a reward of 0.5 or less does not end an episode.
      options: { ends: "agentgym" },
    },
  ],
  [
    "sciworld",
    {
      maxRounds: 30,
      format: "agentgym-sciworld",
      idSplit: "agentgym",
      standIn: {
        split: "agentgym",
        tasks: spreadOver(sciworldVariations, 200),
        note: `200 variations, as many as AgentGym's test set has, eight or nine of each of its 23 task types, spread evenly over the type's variations: ${unpublished}.`,
      },
      // AgentGym's server uses the original's Python API, which ends an episode after 100 moves.
      options: { api: "python" },
    },
  ],
  [
    "webarena",
    {
      maxRounds: 15,
      // The whole reply is sent: the environment reads the action between its backticks.
      format: "plain",
      idSplit: "test",
      standIn: {
        split: "test",
        tasks: upTo(50).map((index) => index * 16),
        note: `every sixteenth of the 812 tasks, 50 as in AgentGym's test set: ${unpublished}.`,
      },
    },
  ],
  [
    "searchqa",
    {
      // In the other four environments, the evaluation cap equals the last stage of ScalingInter's training, which is
      // 10 here. The script for search is marked as unfinished and still has TextCraft's 30. A wrong answer does not
      // end an episode, so 30 rounds would allow more guesses than in training.
      maxRounds: 10,
      // The whole reply is sent: the environment reads its first search or answer tag.
      format: "plain",
      idSplit: "agentgym",
      standIn: {
        split: "test",
        tasks: upTo(200),
        note: `the first 200 questions of the bundled test split, which are not AgentGym's: ${unpublished}.`,
      },
      howToGetIds: "Install AgentGym's question sets as envs/searchqa/README.md says.",
    },
  ],
]);

export const benchmarks: ReadonlyMap<string, ReadonlyMap<string, Benchmark>> = new Map([["agentgym-rl", agentgymRl]]);

/** Returns the names of the environments of a preset, in its order. @throws {TrainerError} ARGUMENT_INVALID */
export function environmentsOf(preset: string): string[] {
  return [...entriesOf(preset).keys()];
}

/** Finds a benchmark. @throws {TrainerError} ARGUMENT_INVALID */
export function benchmark(preset: string, environment: string): Benchmark {
  const entries = entriesOf(preset);
  const entry = entries.get(environment.replace(/@.*/, ""));
  if (entry) return entry;
  throw new TrainerError(
    "ARGUMENT_INVALID",
    `expected one of ${preset}'s ${list(entries)}, but received ${JSON.stringify(environment)}`,
  );
}

function entriesOf(preset: string): ReadonlyMap<string, Benchmark> {
  const entries = benchmarks.get(preset);
  if (entries) return entries;
  throw new TrainerError(
    "ARGUMENT_INVALID",
    `expected one of the presets ${list(benchmarks)}, but received ${JSON.stringify(preset)}`,
  );
}

function list(map: ReadonlyMap<string, unknown>): string {
  return [...map.keys()].join(", ");
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Spreads `count` indices evenly over the groups, and within each group. */
function spreadOver(sizes: readonly number[], count: number): number[] {
  const [each, more] = [Math.floor(count / sizes.length), count % sizes.length];
  let start = 0;
  return sizes.flatMap((size, at) => {
    const first = start;
    start += size;
    const taken = each + Number(at < more);
    return Array.from({ length: taken }, (_, place) => first + Math.floor((place * size) / taken));
  });
}
