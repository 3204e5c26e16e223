/** `palestra ask`: answers one question in an episode of `deepsearch`, in a gym that the command starts. */

import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { onStopping, openAbort } from "../../../trainer/abort.js";
import { TrainerError } from "../../../trainer/errors.js";
import type { GymClient } from "../../../trainer/gym/gym.js";
import type { GymProgram } from "../../../trainer/gym/gym-process.js";
import { openGym } from "../../../trainer/gym/open-gym.js";
import { openPolicy, type PolicySettings, policyKinds } from "../../../trainer/policy/policies.js";
import type { Policy } from "../../../trainer/policy/policy.js";
import { defaultBackOff, defaultRetries, playEpisode } from "../../../trainer/rollout/episode-rollout.js";
import type { Device } from "../../../trainer/settings/device.js";
import { actionFormat, actionFormatNames } from "../../formats/actions/action-formats.js";
import { counted } from "../../formats/counted.js";
import { choiceOption, fractionFrom, wholeFrom } from "../terminal/arguments.js";
import { guide } from "../terminal/command-line.js";
import { AskTranscript } from "../training/ask-transcript.js";
import { deviceOption, dtypeOption } from "../training/engine-options.js";

interface AskFlags {
  policy: string;
  source: string;
  rounds: number;
  format: string;
  temperature?: number;
  maxTokens: number;
  timeout: number;
  device?: Device;
  dtype?: "f32" | "bf16";
  threads?: number;
  json: boolean;
}

/** Time limit, in milliseconds, for the first successful request to a policy server. */
const firstReplyMs = 15_000;
/** Name of the question set that contains only this question. */
const split = "asked";
const stopped = 130;

const examples = {
  'palestra ask "Which element is named after Copenhagen?" --policy openai:http://127.0.0.1:8000/v1#Qwen2.5-7B':
    "Search the bundled pages",
  'palestra ask "Who discovered hafnium?" --policy openai:http://127.0.0.1:8000/v1#Qwen2.5-7B --source index:wiki-18':
    "Search an index of your own",
  'palestra ask "Who won the race?" --policy openai:http://127.0.0.1:8000/v1#Qwen2.5-7B --source web --json':
    "Search the web, and print JSON",
};

const notes = `The key of a policy server is read from OPENAI_API_KEY. Exit code 1 also means that no answer was found.`;

/** Policies that do not read the question: they know the tasks of environments, or nothing. */
const withoutModel: readonly string[] = ["expert", "random"];

/** @param gym program that serves the gym of the question */
export function addAskCommand(program: Command, gym: GymProgram): void {
  const command = program
    .command("ask <question>")
    .description("have a model answer a question by searching and reading pages")
    .requiredOption("--policy <policy>", modelUsages().join(", "))
    .option("--source <source>", "where to look: bundled, index:NAME, retrieve:URL or web", "bundled")
    .option("--rounds <number>", "maximum number of replies", wholeFrom(1, 128), 40)
    .addOption(choiceOption("--format <name>", "format of the action in a reply", actionFormatNames).default("plain"))
    .option("--temperature <number>", "of a model (default: the policy's own)", fractionFrom(0))
    .option("--max-tokens <number>", "maximum number of tokens in a reply", wholeFrom(1), 1024)
    .option("--timeout <seconds>", "timeout of a policy server's reply", wholeFrom(1, 86_400), 120)
    .addOption(deviceOption("native policy: "))
    .addOption(dtypeOption("native policy: "))
    .option(
      "--threads <number>",
      "native policy: number of threads (default: all threads of the machine)",
      wholeFrom(1, 1024),
    )
    .option("--json", "print the JSON object {question, answer, cited, searches, pages, status}", false)
    .action((question: string, flags: AskFlags) => ask(question, flags, gym));
  guide(command, "envs/shared/retrieval/README.md", examples, notes);
}

async function ask(question: string, flags: AskFlags, program: GymProgram): Promise<void> {
  if (question.trim() === "")
    throw new TrainerError("ARGUMENT_INVALID", "expected a question, but received an empty string");
  expectModel(flags.policy);
  const stopping = openAbort();
  const close = onStopping(() => stopping.abort(new Error("the run was stopped")));
  const folder = mkdtempSync(join(tmpdir(), "palestra-ask-"));
  try {
    const policy = await openPolicy(flags.policy, settingsOf(flags));
    try {
      const own = await setUp(question, flags.source, folder, program);
      const gym = await openGym({ gym: "spawn" }, { program: own }, { expert: false }, (line) => console.error(line));
      try {
        process.exitCode = await answered(question, { policy, gym: gym.client, flags, signal: stopping.signal });
      } finally {
        await gym.close();
      }
    } finally {
      await policy.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    close();
  }
}

function modelUsages(): string[] {
  return [...policyKinds].flatMap(([name, { usage }]) => (withoutModel.includes(name) ? [] : [usage]));
}

/** @throws {TrainerError} POLICY_INVALID: the policy has no model that could answer */
function expectModel(policy: string): void {
  if (!withoutModel.includes(policy)) return;
  const reason =
    policy === "expert"
      ? "The expert only knows the answers of an environment's own tasks."
      : "Random actions answer no question.";
  throw new TrainerError(
    "POLICY_INVALID",
    `expected a policy with a model: ${modelUsages().join(", ")}; but received ${JSON.stringify(policy)}. ${reason}`,
  );
}

function settingsOf({ format, maxTokens, timeout, temperature, device, dtype, threads }: AskFlags): PolicySettings {
  return {
    format: actionFormat(format),
    dialogue: "system",
    maxTokens,
    timeoutMs: timeout * 1_000,
    concurrency: 1,
    firstReplyMs,
    temperature,
    device,
    dtype,
    threads,
  };
}

/**
 * Writes a question set `asked` with only this question.
 *
 * @returns the program with the question set
 * @throws {TrainerError} ARGUMENT_INVALID: the source does not exist
 */
async function setUp(question: string, source: string, folder: string, program: GymProgram): Promise<GymProgram> {
  const variables = { ...program.variables, PALESTRA_QUESTIONS: join(folder, "questions.sqlite") };
  const file = join(folder, "question.jsonl");
  // The right answer is unknown, so every answer counts as wrong; the reward is ignored.
  writeFileSync(file, `${JSON.stringify({ id: split, question, golden_answers: [randomUUID()] })}\n`);
  const args = [program.path, "setup", "questions", file, "--as", split, "--source", source];
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, args, { env: { ...process.env, ...variables } }, (error, _, stderr) => {
      if (error)
        reject(new TrainerError("ARGUMENT_INVALID", stderr.trim().replace(/^palestra: /, "") || error.message));
      else resolve();
    });
  });
  return { ...program, variables };
}

interface Asking {
  policy: Policy;
  gym: GymClient;
  flags: AskFlags;
  signal: AbortSignal;
}

/** Plays the episode and prints the answer. @returns the exit status */
async function answered(question: string, { policy, gym, flags, signal }: Asking): Promise<number> {
  const { rounds, format, json } = flags;
  const transcript = new AskTranscript((line) => (json ? undefined : console.log(line)));
  const { status, failure } = await playEpisode({
    gym,
    policy,
    task: { environment: "deepsearch", split, index: 0, seed: 0 },
    settings: { maxRounds: rounds, format: actionFormat(format), retries: defaultRetries, backOff: defaultBackOff },
    group: split,
    seed: 0,
    signal,
    watcher: transcript,
  }).catch((error: unknown) => {
    if (signal.aborted) return { status: "failed" as const, failure: undefined };
    throw error;
  });
  if (signal.aborted) return stopped;
  const { answer } = transcript;
  if (json)
    console.log(JSON.stringify({ question, ...transcript.facts, status, ...(failure && { failure }) }, null, 2));
  else if (answer === undefined) console.error(`palestra: ${unanswered(failure?.message, status, rounds)}`);
  return answer === undefined ? 1 : 0;
}

function unanswered(failure: string | undefined, status: string, rounds: number): string {
  if (failure !== undefined) return failure;
  if (status === "limit")
    return `expected an answer within ${counted(rounds, "reply", "replies")}, but received none. Allow more with --rounds.`;
  return `expected an answer, but the episode ended without one: ${status}`;
}
