/** Cloning of own dialogues: files that `palestra export` writes, or that other programs write in the same formats. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { actionFormat } from "#palestra/server/formats/actions/action-formats.js";
import type { ExportEpisode } from "#palestra/server/formats/training/episode.js";
import { episodeFormats } from "#palestra/server/formats/training/rows.js";
import { buildTokenizer } from "#palestra/trainer/data/default-tokenizer.js";
import { ChatFormat } from "#palestra/trainer/policy/chat-format.js";
import type { TrainSettings } from "#palestra/trainer/settings/settings.js";
import { exampleOf } from "#palestra/trainer/start/cloning.js";
import { readDialogues } from "#palestra/trainer/start/dialogue-files.js";
import { type Dialogue, expertDialogues } from "#palestra/trainer/start/dialogues.js";
import { train } from "#palestra/trainer/train.js";
import { needsEngine } from "../../native/tiny-models.js";
import { gymOfFile } from "../support/gym-of-file.js";
import { Notes, tinySettings } from "../support/training.js";

needsEngine();
const file = gymOfFile();
const tasks = [0, 1, 2, 3].map((index) => ({ environment: "textcraft", split: "all", index, seed: 1 }));
const signal = new AbortController().signal;
let experts: Dialogue[];

beforeAll(async () => {
  experts = await playedIn("plain");
});

const playedIn = (format: string) =>
  expertDialogues({ gym: file.gym, tasks, maxRounds: 10, concurrency: 2, signal, format: actionFormat(format) });

/** Writes lines, and returns the path. */
function fileOf(name: string, lines: readonly unknown[]): string {
  const path = join(file.folder, name);
  writeFileSync(path, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  return path;
}

/** The episode that an export reads, in which only the texts matter. */
function exported({ prompt, tools = [], turns }: Dialogue): ExportEpisode {
  const rest = { action: null, reward: 0, terminated: false, truncated: false };
  return {
    ...{ id: "episode", options: {}, status: "terminated", return: 1, solved: true, prompt, tools },
    played: { environment: "textcraft@1", split: "all", index: 0, seed: 1 },
    opening: turns[0]?.observation as string,
    turns: turns.map(({ reply }, at) => ({ ...rest, reply, observation: turns[at + 1]?.observation ?? "The end." })),
  };
}

const textsOf = ({ prompt, turns }: Dialogue) => ({ prompt, turns });

test.each(["openai", "agentgym"] as const)(
  "dialogues are read as they were exported in the format %s",
  async (name) => {
    const rows = experts.flatMap((dialogue) => episodeFormats[name](exported(dialogue)));
    const read = await readDialogues([fileOf(`${name}.jsonl`, rows)]);
    expect(read).toEqual(experts.map(textsOf));
    expect(read.length).toBeGreaterThan(2);
  },
);

test("calls of tools are read as the text that the model writes, and their tools as those of the prompt", async () => {
  const called = await playedIn("tool_call");
  const rows = called.flatMap((dialogue) => episodeFormats.openai(exported(dialogue)));
  expect(rows[0]).toMatchObject({ messages: { 2: { content: null, tool_calls: [{}] } } });
  const read = await readDialogues([fileOf("calls.jsonl", rows)]);
  expect(read.map(textsOf)).toEqual(called.map(textsOf));
  const format = new ChatFormat(buildTokenizer(called.flatMap(({ turns }) => turns.map(({ reply }) => reply))));
  expect(read.map((dialogue) => exampleOf(format, dialogue))).toEqual(called.map((one) => exampleOf(format, one)));
});

test("only the replies of the assistant are cloned, without those that a file excludes", async () => {
  const [dialogue] = await readDialogues([
    fileOf("excluded.jsonl", [
      {
        messages: [
          { role: "system", content: "Play." },
          ...[
            { role: "user", content: "one" },
            { role: "assistant", content: "first", weight: 0 },
          ],
          ...[
            { role: "user", content: "two" },
            { role: "assistant", content: "second" },
          ],
          { role: "user", content: "the end" },
        ],
      },
    ]),
  ]);
  const tokenizer = buildTokenizer(["one two first second"]);
  const { tokens, mask } = exampleOf(new ChatFormat(tokenizer), dialogue as Dialogue);
  expect(tokenizer.decode(tokens.filter((_, at) => mask[at] === 1))).toBe("second<|end|>");
  expect(tokenizer.decode(tokens)).toContain("<|action|>first<|end|>");
  expect(tokenizer.decode(tokens)).not.toContain("the end");
});

const user = { role: "user", content: "one" };
const reply = { role: "assistant", content: "two" };
describe("a file is refused with the line", () => {
  test.each<[string, unknown]>([
    ["expected one JSON object in line 2 of", '{"messages": ['],
    ["expected messages or conversations in line 2 of FILE, but received prompt, chosen", { prompt: [], chosen: [] }],
    ["expected a dialogue in line 2 of FILE, but received messages.0.role: ", { messages: [{ role: "critic" }] }],
    ["expected a message of the user before each reply, in line 2 of", { messages: [user, reply, reply] }],
    [
      "expected instructions only at the beginning, in line 2 of",
      { messages: [user, reply, { role: "system" }, user] },
    ],
    [
      "expected a call whose arguments are a JSON object, in line 2 of FILE, but received [1]",
      { messages: [user, { role: "assistant", tool_calls: [{ function: { name: "get", arguments: "[1]" } }] }] },
    ],
  ])("%s", async (message, line) => {
    const path = fileOf("refused.jsonl", [{ messages: [user, reply] }, line]);
    const error = await readDialogues([path]).catch((reason: Error) => reason);
    expect(error).toMatchObject({
      code: "DIALOGUES_INVALID",
      message: expect.stringContaining(message.replace("FILE", path)),
    });
  });

  test("or with the reason why it cannot be read", async () => {
    const path = join(file.folder, "missing.jsonl");
    await expect(readDialogues([path])).rejects.toThrow(`expected dialogues in ${path}, but received ENOENT`);
  });
});

describe("a run", () => {
  async function start(output: string, changes: Partial<TrainSettings>) {
    const notes = new Notes();
    const settings = tinySettings(join(file.folder, output), { total_train_steps: 0, clone_epochs: 2, ...changes });
    await train(settings, file.gym, notes, signal);
    return notes;
  }

  test("clones dialogues instead of experts, and counts those that do not fit", async () => {
    const rows = experts.flatMap((dialogue) => episodeFormats.openai(exported(dialogue)));
    const long = {
      messages: [{ role: "user", content: Array.from({ length: 2000 }, (_, at) => at).join(" ") }, reply],
    };
    const path = fileOf("own.jsonl", [...rows, { messages: [user] }, long, ""]);
    const { stages, cloningLosses } = await start("own", { clone_episodes: 0, clone_dialogues: [path] });
    expect(stages).toContain(`read ${experts.length + 1} dialogues; left out as without a reply to clone: 1`);
    expect(stages).toContain(`cloning ${experts.length} episodes; left out as longer than the context: 1`);
    expect(cloningLosses.at(-1)).toBeLessThan(cloningLosses[0] as number);
  });

  test("clones dialogues beside experts", async () => {
    const rows = experts.flatMap((dialogue) => episodeFormats.agentgym(exported(dialogue)));
    const beside = { clone_episodes: 4, max_rounds: 10, clone_dialogues: [fileOf("beside.jsonl", rows)] };
    const { stages } = await start("beside", beside);
    expect(stages).toContain(`cloning ${4 + experts.length} episodes`);
  });

  test("without a reply in its files is refused", async () => {
    const path = fileOf("empty.jsonl", [{ messages: [user] }]);
    await expect(start("empty", { clone_episodes: 0, clone_dialogues: [path] })).rejects.toMatchObject({
      code: "CLONING_IMPOSSIBLE",
      message: `expected dialogues with replies in ${path}, but received 1 line without`,
    });
  });
});
