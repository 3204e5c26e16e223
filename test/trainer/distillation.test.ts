/** On-policy distillation of a small model from a teacher in this process, or on a server in a process of its own. */
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Engine, Tokenizer } from "#palestra/native/api/index.js";
import { openServerTeacher } from "#palestra/trainer/backends/open-teacher.js";
import { buildTokenizer } from "#palestra/trainer/data/default-tokenizer.js";
import { expectSameTokens } from "#palestra/trainer/policy/teacher.js";
import type { TrainStepReport } from "#palestra/trainer/run/observer.js";
import type { TrainSettings } from "#palestra/trainer/settings/settings.js";
import { train } from "#palestra/trainer/train.js";
import { needsEngine } from "../native/tiny-models.js";
import { startNode } from "../support/server-process.js";
import { gymOfFile } from "./support/gym-of-file.js";
import { Notes, tinySettings } from "./support/training.js";

needsEngine();
const file = gymOfFile();
const folderOf = (output: string) => join(file.folder, output, "final");

/** The teacher is cloned from the experts, and the student for a tenth of the time, with the teacher's tokenizer. */
beforeAll(async () => {
  await run("teacher", { total_train_steps: 0, hidden_size: 128 });
});

const studentOf = (teacher: string, changes: Partial<TrainSettings> = {}): Partial<TrainSettings> => ({
  algorithm: "on-policy-distillation",
  teacher,
  baseline: "none",
  clone_epochs: 8,
  n_samples: 4,
  max_head_offpolicyness: 0,
  ...changes,
});

async function run(output: string, changes: Partial<TrainSettings>): Promise<TrainStepReport[]> {
  const notes = new Notes();
  const settings = tinySettings(join(file.folder, output), changes);
  await train(settings, file.gym, notes, new AbortController().signal);
  return notes.steps;
}

async function startTeacher(...args: string[]): Promise<string> {
  const child = startNode(["--import", "tsx", "test/trainer/support/policy-server.ts", ...args], { showErrors: true });
  onTestFinished(async () => void (await child.stop()));
  return child.listeningUrl();
}

test("the student comes closer to a larger teacher, whose tokenizer it has", async () => {
  const steps = await run(
    "native",
    studentOf(`native:${folderOf("teacher")}`, { total_train_steps: 10, lr: 1e-3, batch_size: 8 }),
  );
  const distances = steps.map(({ teacherKl }) => teacherKl as number);
  expect(distances.at(0)).toBeGreaterThan(0.1);
  expect(distances.at(-1)).toBeLessThan(0.9 * (distances.at(0) as number));
  // A token's advantage is what it takes from the divergence.
  const advantages = [...(steps[0]?.credits ?? [])].flatMap(([{ mask }, credit]) =>
    [...credit.advantages].filter((_, token) => mask[token] === 1),
  );
  expect(-advantages.reduce((sum, one) => sum + one, 0) / advantages.length).toBeCloseTo(distances[0] as number, 4);
});

describe.each(["vllm", "sglang"])("a teacher on a server like %s", (kind) => {
  test("gives the first train step the loss of the same teacher in this process", async () => {
    const url = await startTeacher(kind, folderOf("teacher"));
    const [here] = await run(`${kind}-here`, studentOf(`native:${folderOf("teacher")}`, { total_train_steps: 1 }));
    // The small model of a run gets its tokenizer from a native teacher, so this run starts from that model.
    const model = join(file.folder, `${kind}-here`, "cloned");
    const served = { model, clone_episodes: 0, total_train_steps: 1 };
    const [there] = await run(`${kind}-there`, studentOf(`openai:${url}/v1#policy`, served));
    expect(there?.loss).toBeCloseTo(here?.loss as number, 5);
    expect(there?.gradientNorm).toBeCloseTo(here?.gradientNorm as number, 4);
  });

  test("that fails at times scores every row in the end", async () => {
    const url = await startTeacher(kind, folderOf("teacher"));
    const tokenizer = (await Tokenizer.read(folderOf("teacher"))) as Tokenizer;
    const settings = tinySettings(join(file.folder, "unused"), studentOf(`openai:${url}#policy`));
    const teacher = await openServerTeacher(settings, tokenizer, new AbortController().signal);
    const rows = [5, 9, 12].map((length) => ({
      tokens: Int32Array.from({ length }, (_, at) => (at * 7 + length) % 200),
      mask: Uint8Array.from({ length }, (_, at) => Number(at > 2)),
    }));
    await fetch(`${url}/fail`, { method: "POST", body: JSON.stringify({ scores: 2 }) });
    const scores = await teacher.logprobs(rows);
    teacher.close();
    expect(scores).toEqual(await scoresHere(rows));
  });

  test("of another tokenizer is refused before any episode", async () => {
    const url = await startTeacher(kind, folderOf("teacher"));
    const other = buildTokenizer(["go to the red ball", "go to the red key"]);
    const settings = tinySettings(join(file.folder, "unused"), studentOf(`openai:${url}#policy`));
    await expect(openServerTeacher(settings, other, new AbortController().signal)).rejects.toMatchObject({
      code: "TEACHER_UNUSABLE",
      message: expect.stringContaining(
        "expected a teacher with the policy's tokenizer, but received one that reads a probe",
      ),
    });
  });
});

test("a server that reports no log-probabilities of prompts is refused", async () => {
  const url = await startTeacher("vllm", "blind", folderOf("teacher"));
  const tokenizer = (await Tokenizer.read(folderOf("teacher"))) as Tokenizer;
  const settings = tinySettings(join(file.folder, "unused"), studentOf(`openai:${url}#policy`));
  await expect(openServerTeacher(settings, tokenizer, new AbortController().signal)).rejects.toMatchObject({
    code: "TOKENS_MISSING",
    message: expect.stringContaining("expected vLLM's prompt_logprobs, but received"),
  });
});

test("a teacher in this process with another tokenizer, or too short a context, is refused with the difference", async () => {
  const [one, other] = [buildTokenizer(["go go to to red red"]), buildTokenizer(["go go to to blue blue"])];
  expect(() => expectSameTokens(one, one)).not.toThrow();
  expect(() => expectSameTokens(one, other)).toThrow(/reads token \d+ as ".*" instead of ".*"/);
  const short = studentOf(`native:${folderOf("teacher")}`, { context_length: 1000 });
  await expect(run("short", short)).rejects.toMatchObject({
    code: "TEACHER_UNUSABLE",
    message:
      "expected a teacher with at least context_length 1000 positions, but received one with 512. Lower context_length.",
  });
});

test.each<[string, Partial<TrainSettings>]>([
  ["teacher: expected native:PATH or openai:URL#model with on-policy-distillation", { teacher: undefined }],
  ["teacher: expected algorithm on-policy-distillation, but received grpo", { algorithm: "grpo" }],
  ["teacher: expected native:FOLDER, native:FILE.gguf or openai:URL#model", { teacher: "http://127.0.0.1" }],
  ["temperature: expected 1 with a teacher on a server", { teacher: "openai:http://127.0.0.1#x", temperature: 0.7 }],
  ["teacher_server: expected no value with a native teacher", { teacher_server: "vllm" }],
])("is refused: %s", (message, changes) => {
  expect(() => tinySettings("unused", studentOf("native:folder", changes))).toThrow(message);
});

/** Log-probabilities of the teacher, scored by an engine in this process. */
async function scoresHere(rows: readonly { tokens: Int32Array; mask: Uint8Array }[]): Promise<Float32Array[]> {
  const engine = await Engine.create({ device: "cpu", threads: 1 });
  try {
    const trainer = await (await engine.loadModel(folderOf("teacher"))).trainer({ maxTokens: 64 });
    const scores: Float32Array[] = [];
    for (const row of rows) scores.push((await trainer.score(row)).logprob);
    return scores;
  } finally {
    await engine.close();
  }
}
