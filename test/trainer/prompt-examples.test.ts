/** Reinforcement learning without cloning: worked examples in the instructions, and a warning for an untrained model. */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Tokenizer } from "#palestra/native/api/index.js";
import type { TrainSettings } from "#palestra/trainer/settings/settings.js";
import { promptExamplesFile } from "#palestra/trainer/start/prompt-examples.js";
import { train } from "#palestra/trainer/train.js";
import { needsEngine } from "../native/tiny-models.js";
import { gymOfFile } from "./support/gym-of-file.js";
import { Notes, tinySettings } from "./support/training.js";

needsEngine();
const file = gymOfFile();

class Tokens extends Notes {
  tokenizer: Tokenizer | undefined;

  override onStart(_step?: number, _evaluations?: unknown, tokenizer?: Tokenizer): void {
    this.tokenizer = tokenizer;
  }
}

const scratchRun = {
  ...{ clone_episodes: 0, total_train_steps: 1, batch_size: 2, n_samples: 2, eval_episodes: 2, max_rounds: 4 },
  ...{ context_length: 4096, max_tokens_per_mb: 4096, language_episodes: 6, max_head_offpolicyness: 0 },
  ...{ train_tasks: ["textcraft:all:0-5"], eval_tasks: ["textcraft:all:0-3"] },
};
/** A model whose chat template shows instructions, as those of pretrained models do. */
let model: string;

beforeAll(async () => {
  const untrained = tinySettings(join(file.folder, "plain"), { ...scratchRun, total_train_steps: 0 });
  const { model: plain } = await train(untrained, file.gym, new Notes(), new AbortController().signal);
  model = join(file.folder, "instruct");
  cpSync(plain, model, { recursive: true });
  const path = join(model, "tokenizer_config.json");
  const config = JSON.parse(readFileSync(path, "utf8")) as { chat_template: string };
  const shown = "{%- if message.role == 'system' -%}{{ message.content }}{%- elif message.role == 'user' -%}";
  const chat_template = config.chat_template.replace("{%- if message.role == 'user' -%}", shown);
  expect(chat_template).toContain("system");
  writeFileSync(path, JSON.stringify({ ...config, chat_template }));
});

const settingsOf = (output: string, changes: Partial<TrainSettings> = {}) =>
  tinySettings(join(file.folder, output), { ...scratchRun, model, ...changes });

async function run(settings: TrainSettings) {
  const notes = new Tokens();
  await train(settings, file.gym, notes, new AbortController().signal);
  const trajectories = notes.steps.flatMap(({ groups }) => groups.flatMap(({ trajectories }) => trajectories));
  const textOf = ({ tokens, mask }: (typeof trajectories)[number], which: 0 | 1) =>
    notes.tokenizer?.decode([...tokens].filter((_, at) => mask[at] === which)) ?? "";
  return { notes, trajectories, textOf };
}

interface Written {
  examples: { task: { environment: string; index: number }; turns: { observation: string; reply: string }[] }[];
}

const examplesIn = ({ output }: TrainSettings) =>
  JSON.parse(readFileSync(join(output, promptExamplesFile), "utf8")) as Written;

describe("worked examples", () => {
  test("are solved episodes of training tasks that are not held out, in the instructions and outside of the loss", async () => {
    const settings = settingsOf("examples", { prompt_examples: 2 });
    const { notes, trajectories, textOf } = await run(settings);
    const { examples } = examplesIn(settings);
    expect(examples.map(({ task }) => task.environment)).toEqual(["textcraft@1", "textcraft@1"]);
    expect(new Set(examples.map(({ task }) => task.index))).toEqual(new Set([4, 5]));
    expect(notes.stages).toContain("playing 2 worked examples of each environment by experts");
    expect(trajectories).toHaveLength(4);
    const replies = examples.flatMap(({ turns }) => turns.map(({ reply }) => reply));
    for (const trajectory of trajectories) {
      const read = textOf(trajectory, 0);
      expect(read).toContain("Example 2 of an episode that was solved:");
      for (const reply of replies) expect(read).toContain(`Your reply:\n${reply}`);
      expect(textOf(trajectory, 1)).not.toContain("Example 2 of an episode");
      expect(trajectory.mask.slice(0, 50).every((one) => one === 0)).toBe(true);
    }
  });

  test("are the same when a run resumes, although the seed would choose others", async () => {
    const settings = settingsOf("resumed", { prompt_examples: 1 });
    await run(settings);
    const before = examplesIn(settings);
    rmSync(join(settings.output, "checkpoints"), { recursive: true });
    const { notes } = await run({ ...settings, total_train_steps: 2 });
    expect(notes.stages.some((stage) => stage.includes("worked example"))).toBe(false);
    expect(examplesIn(settings)).toEqual(before);
  });

  test("are part of what is cloned", async () => {
    const cloning = { clone_episodes: 4, clone_epochs: 1, total_train_steps: 0 };
    const tokensOf = async (prompt_examples: number) => {
      const notes = new Tokens();
      let tokens = 0;
      notes.onCloningStep = (step: { loss: number; tokens?: number }) => {
        tokens += step.tokens ?? 0;
      };
      const settings = settingsOf(`cloned-${prompt_examples}`, { ...cloning, prompt_examples });
      await train(settings, file.gym, notes, new AbortController().signal);
      return tokens;
    };
    expect(await tokensOf(1)).toBeGreaterThan((await tokensOf(0)) + 4 * 20);
  });

  test("are refused if they are longer than the context", async () => {
    const settings = settingsOf("long", { prompt_examples: 2, context_length: 64 });
    await expect(run(settings)).rejects.toThrow(
      /expected worked examples of textcraft@1 with fewer tokens than the context of 64, but received \d+\. Lower prompt_examples/,
    );
  });

  test("are refused if every training task is held out", async () => {
    const settings = settingsOf("none", { prompt_examples: 1, eval_tasks: ["textcraft:all:0-5"] });
    await expect(run(settings)).rejects.toThrow(
      /expected 1 training task of textcraft outside of eval_tasks that the expert solves in 4 rounds, but received 0/,
    );
  });
});

test("a model whose template leaves instructions out refuses worked examples", async () => {
  const settings = settingsOf("unseen", { prompt_examples: 1, model: join(file.folder, "plain/initial") });
  await expect(run(settings)).rejects.toThrow(
    /expected a chat template that shows the instructions, with prompt_examples/,
  );
  expect(() => settingsOf("small", { prompt_examples: 1, model: undefined })).toThrow(
    /prompt_examples: expected 0 without a model, since the small model reads observations and no instructions/,
  );
});

test("an untrained model may learn without cloning, with a warning", async () => {
  const { notes } = await run(settingsOf("untrained", { model: undefined }));
  expect(notes.steps).toHaveLength(1);
  expect(notes.stages.some((stage) => stage.startsWith("reinforcement learning starts from an untrained model"))).toBe(
    true,
  );
});
