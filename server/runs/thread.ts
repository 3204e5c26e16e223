/** The thread that reads the folders of runs. Calls are answered as their files are read, in any order. */
import { parentPort, workerData } from "node:worker_threads";
import { GymError } from "../errors.js";
import { EvaluationReader } from "./evaluation.js";
import { type RunFolder, RunFolders } from "./folders.js";
import type { Refusal, RunAnswer, RunCalls, RunCancel, RunRequest, RunThreadData } from "./protocol.js";
import { TrainingReader } from "./training.js";

if (!parentPort) throw new Error("expected to run in a worker thread, but received the main thread");
const port = parentPort;
const folders = new RunFolders((workerData as RunThreadData).folders);
const training = new TrainingReader();
const evaluations = new EvaluationReader();

type Calls = {
  [Name in keyof RunCalls]: (params: RunCalls[Name], isCancelled: () => boolean) => Promise<string>;
};

const calls: Calls = {
  async list() {
    const { found, truncated } = await folders.list();
    const runs = [];
    // One after the other, since the files of a thousand runs would not fit into memory.
    for (const folder of found) {
      const summary = await readerOf(folder).summary(folder).catch(ignoreRemoved);
      if (summary) runs.push(summary);
    }
    runs.sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
    return JSON.stringify({ runs, truncated });
  },
  async run({ run }) {
    const folder = await folders.find(run);
    return JSON.stringify(await readerOf(folder).details(folder));
  },
  metrics: async ({ run, ...query }) => training.metrics(await folders.find(run, "training"), query),
  groups: async ({ run, ...query }) => training.groups(await folders.find(run, "training"), query),
  rollout: async ({ run, ...query }) => training.rollout(await folders.find(run, "training"), query),
  episodes: async ({ run, ...query }) => evaluations.episodes(await folders.find(run, "evaluation"), query),
  search: async ({ run, ...query }, isCancelled) =>
    evaluations.search(await folders.find(run, "evaluation"), query, isCancelled),
  episode: async ({ run, index }) => evaluations.episode(await folders.find(run, "evaluation"), index),
};

/** A run may be removed while the list is made. */
function ignoreRemoved(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

function readerOf({ kind }: RunFolder): TrainingReader | EvaluationReader {
  return kind === "training" ? training : evaluations;
}

/** Requests that are being answered, and whether they are cancelled. */
const open = new Map<number, boolean>();

port.on("message", (message: RunRequest | RunCancel) => {
  if (!("cancel" in message)) return void answer(message);
  if (open.has(message.cancel)) open.set(message.cancel, true);
});

async function answer({ id, name, params }: RunRequest): Promise<void> {
  open.set(id, false);
  let answer: RunAnswer;
  try {
    answer = { id, text: await calls[name](params as never, () => open.get(id) === true) };
  } catch (error) {
    answer = { id, refusal: refusalOf(error as Error) };
  }
  open.delete(id);
  port.postMessage(answer);
}

function refusalOf(error: Error): Refusal {
  if (error instanceof GymError) return { code: error.code, expected: error.expected, received: error.received };
  const { code } = error as NodeJS.ErrnoException;
  // The run was removed while it was read.
  if (code === "ENOENT") return { code: "RUN_UNKNOWN", expected: "the files of a run", received: "a missing file" };
  return { code: "RUN_DAMAGED", expected: "a readable run", received: code ?? error.message };
}
