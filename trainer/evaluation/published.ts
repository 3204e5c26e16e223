/**
 * Results that the authors of a benchmark published, quoted beside the results of a run. Palestra did not measure them.
 */

/** Published percentage of solved tasks. */
export interface PublishedFigure {
  readonly percent: number;
  /** Whether the figure was read from a chart, because no table contains it. */
  readonly isReadOff?: boolean;
}

export interface PublishedRow {
  /** The model, as the authors name it. */
  readonly name: string;
  /** Figures by environment. Environments without a published figure are left out. */
  readonly figures: Readonly<Record<string, PublishedFigure>>;
}

export interface Published {
  readonly source: string;
  readonly rows: readonly PublishedRow[];
}

const readOff = (percent: number): PublishedFigure => ({ percent, isReadOff: true });

function webarenaAlone(name: string, percent: number): PublishedRow {
  return { name, figures: { webarena: { percent } } };
}

/** Overall figures of each benchmark; `searchqa` is what the authors call Deep Search. */
const agentgymRl: Published = {
  source: "AgentGym-RL (Xi et al. 2025)",
  rows: [
    {
      name: "ScalingInter-7B",
      figures: {
        textcraft: { percent: 91 },
        babyai: { percent: 96.67 },
        sciworld: { percent: 57 },
        webarena: { percent: 26 },
        searchqa: { percent: 38.25 },
      },
    },
    webarenaAlone("AgentGym-RL-7B", 22),
    webarenaAlone("AgentGym-RL-3B", 18),
    {
      name: "Qwen2.5-7B",
      figures: {
        textcraft: readOff(42),
        babyai: readOff(66.67),
        sciworld: readOff(1.5),
        webarena: { percent: 9.76 },
        searchqa: readOff(18.75),
      },
    },
    webarenaAlone("Qwen2.5-3B", 10),
    webarenaAlone("GPT-4o", 16),
    webarenaAlone("o3", 34),
    webarenaAlone("o4-mini", 36),
    webarenaAlone("Gemini-2.5-Pro", 28),
    webarenaAlone("DeepSeek-R1", 28),
  ],
};

/** Published results by preset. */
export const published: ReadonlyMap<string, Published> = new Map([["agentgym-rl", agentgymRl]]);
