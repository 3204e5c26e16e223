/** `palestra train` and `palestra eval` refuse a wrong name with a remedy, before any work. */
import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command, CommanderError } from "commander";
import { describe, expect, onTestFinished, test } from "vitest";
import { addTrainCommand } from "#palestra/server/program/commands/train.js";
import { trainerProgram } from "#palestra/server/program/training/trainer-program.js";
import { TrainerError } from "#palestra/trainer/errors.js";
import { needsEngine } from "../../../native/tiny-models.js";
import { root } from "../../../support/server-process.js";
import { scratch } from "../../../support/serving.js";
import { gymOfFile } from "../../../trainer/support/gym-of-file.js";

const file = gymOfFile();

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

function trainer(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, cwd: scratch() };
    const child = execFile(
      process.execPath,
      [join(root, "dist/server/program/cli.js"), ...args],
      options,
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    onTestFinished(() => void child.kill("SIGKILL"));
  });
}

async function expectMisuse(args: readonly string[], message: RegExp): Promise<void> {
  const { code, stdout, stderr } = await trainer(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(message);
}

describe("train", () => {
  /** Runs the command until its refusal, and returns the message. No run begins. */
  async function refusalOf(args: readonly string[]): Promise<string> {
    let said = "";
    const outputError = (text: string) => {
      said = text;
    };
    const program = new Command("palestra").exitOverride().configureOutput({ outputError });
    addTrainCommand(program, {});
    const error = await program.parseAsync(["train", ...args], { from: "user" }).catch((reason: Error) => reason);
    expect([CommanderError, TrainerError]).toContain(error.constructor);
    return said || (error as Error).message;
  }

  test.each([
    [["--nsamples", "3"], /unknown option '--nsamples'\s+\(Did you mean --n_samples\?\)/],
    [["--kl_coef", "0.1"], /^error: kl_coef is called kl_ctl here: Weight of the KL term/],
    [["--kl-coef=0.1"], /^error: kl-coef is called kl_ctl here: /],
    [["--clip_ratio", "0.2"], /^error: clip_ratio is called eps_clip here: /],
    [
      ["--rollout_batch_size", "16"],
      /^error: rollout_batch_size is called batch_size here: Number of groups in a train step/,
    ],
    [["--actor_rollout_ref.actor.clip_ratio_low=0.2"], /clip_ratio_low is called eps_clip here: /],
    [["actor.eps_clip=0.2"], /received actor\.eps_clip=0\.2\. actor\.eps_clip is called eps_clip here: /],
    [["algorithm.kl_ctrl.kl_coef=0.1", "data.train_batch_size=4"], /kl_coef is called kl_ctl here: /],
    [
      ["algorithm.kl_ctrl.kl_coef=0.1", "data.train_batch_size=4"],
      /data\.train_batch_size is called batch_size here: /,
    ],
    [
      ["--kl_coef", "0.1", "--lr", "1e-4", "--clip_ratio=0.2", "--frobnicate", "1", "data.train_batch_size=4"],
      /^error: expected settings of palestra, but received:\n {2}kl_coef is called kl_ctl here: .+\n {2}clip_ratio is called eps_clip here: .+\n {2}unknown option '--frobnicate'\n {2}data\.train_batch_size is called batch_size here: .+\n$/,
    ],
    [["++gconfig.n_samples=4"], /gconfig\.n_samples is called n_samples here: /],
    [["one.yaml", "two.yaml"], /expected one file of settings, but received one\.yaml, two\.yaml/],
    [["--preset", "cpuu"], /received cpuu \(Did you mean cpu\?\)/],
    [["--frobnicate", "1"], /^error: unknown option '--frobnicate'\n$/],
  ])("%j is refused with the remedy", async (args, message) => {
    expect(await refusalOf(args)).toMatch(message);
  });

  test("the program prints the refusal in one line and exits with the code of misuse", async () => {
    await expectMisuse(["train", "--kl_coef", "0.1"], /^palestra: kl_coef is called kl_ctl here: [^\n]+\n$/);
  });
});

describe("eval", () => {
  test.each([
    [["--env", "textcrft", "--policy", "random"], /ENVIRONMENT_UNKNOWN: .+ "textcrft" \(Did you mean textcraft\?\)$/m],
    [["--env", "textcraft", "--split", "tets", "--policy", "random"], /received "tets" \(Did you mean test\?\)$/m],
    [["--env", "textcraft", "--policy", "exprt"], /received "exprt" \(Did you mean expert\?\)$/m],
    [["--env", "textcraft", "--policy", "natve:runs/x"], /received "natve:runs\/x" \(Did you mean native\?\)$/m],
    [["--env", "textcraft", "--policy", "random", "--format", "raect"], /"raect" \(Did you mean react\?\)/],
    [["--env", "babyai", "--policy", "random", "--option", "end=task"], /received "end" \(Did you mean ends\?\)$/m],
    [["--env", "babyai", "--policy", "random", "--option", "ends=tsak"], /received "tsak" \(Did you mean task\?\)$/m],
    [["--env", "textcraft", "--policy", "random", "--option", "voice=loud"], /options of textcraft@1: none; .+"voice"/],
    [
      ["--env", "textcraft", "--policy", "random", "--partner", "random"],
      /expected an environment with several players with --partner, but received textcraft@1\. Leave --partner out\.$/m,
    ],
    [
      ["--env", "bargain", "--policy", "random", "--partner", "random", "--seats", "lfet"],
      /expected a seat of bargain@1 \(left, right\), but received "lfet" \(Did you mean left\?\)$/m,
    ],
    [["--env", "bargain", "--policy", "random", "--seats", "left"], /expected --partner POLICY with --seats/],
    [["--env", "bargain", "--policy", "random", "--partner", "exprt"], /received "exprt" \(Did you mean expert\?\)$/m],
  ])("%j is refused before an episode is played", async (args, message) => {
    await expectMisuse(["eval", ...args, "--gym", file.server.url], message);
  });
});

describe("a run without a model to start from is refused before the engine and a gym are started", () => {
  test.each([
    [["--model", "nowhere"], { code: "MODEL_UNUSABLE" }],
    [["--rollout", "endpoint"], { code: "SETTINGS_INVALID" }],
  ])("by %j", async (args, error) => {
    const program = new Command("palestra").exitOverride();
    addTrainCommand(program, {});
    const output = join(scratch(), "run");
    const run = program.parseAsync(["train", "--gym", "http://127.0.0.1:9", "--output", output, ...args], {
      from: "user",
    });
    await expect(run).rejects.toMatchObject(error);
    // A run that begins creates its folder with a lock and a first line.
    expect(existsSync(output)).toBe(false);
  });
});

describe("a wrong policy is refused before a gym is started for it", () => {
  /** A program in place of the gym that writes a file and ends. */
  function markingGym(): { program: string; mark: string } {
    const folder = scratch();
    const mark = join(folder, "started");
    const program = join(folder, "gym.mjs");
    writeFileSync(program, `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "");`);
    return { program, mark };
  }

  test.each([
    ["eval", ["--env", "textcraft"], ["exprt", "native:nowhere", "openai:http://127.0.0.1:9/v1"]],
    ["train", [], ["natve", "openai:http://127.0.0.1:9/v1"]],
  ])("from %s", async (command, args, policies) => {
    const { program, mark } = markingGym();
    const folder = command === "train" ? ["--output", join(scratch(), "run")] : [];
    const run = (policy: string) =>
      trainerProgram({ dataDir: scratch(), program: { path: program } })
        .parseAsync([command, ...args, ...folder, "--gym", "spawn", "--policy", policy], { from: "user" })
        .catch((error: Error) => error);
    for (const policy of policies) {
      expect(await run(policy), policy).toBeInstanceOf(Error);
      expect(existsSync(mark), policy).toBe(false);
    }
    // A policy that can be opened gets as far as the start of the gym.
    await run(command === "eval" ? "random" : "native");
    expect(existsSync(mark)).toBe(true);
  });
});

describe("the tasks of a training run", () => {
  needsEngine();

  test.each([
    ["textcrft:train", /"textcrft" \(Did you mean textcraft\?\)/],
    ["textcraft:trian", /received trian \(Did you mean train\?\)/],
  ])("%s is refused before experts play", async (tasks, message) => {
    const output = join(scratch(), "run");
    await expectMisuse(["train", "--gym", file.server.url, "--output", output, "--train_tasks", tasks], message);
  });
});
