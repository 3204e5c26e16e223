import { Worker } from "node:worker_threads";
import { type CheckResult, checkNames } from "../../../envs/check-env.js";
import type { Config } from "../../config/config.js";
import { Interrupted, OperatorError } from "../../config/operator-error.js";
import { styled } from "../terminal/command-line.js";
import { cutTo } from "../terminal/table.js";
import { CallMark, type CheckNotice, type CheckThreadData } from "./check-protocol.js";

export interface CheckReport {
  passed: number;
  failed: number;
  skipped: number;
  results: CheckResult[];
  /**
   * Whether a terminated thread still runs, because a system call in it does not return. An ordinary exit of the
   * process would wait for the thread.
   */
  isStuck: boolean;
}

export interface CheckOptions {
  json: boolean;
  /** Number of tasks played in each split. */
  episodes: number;
  /** Time limit in milliseconds of a check that makes no progress, which is the end of a call. */
  deadlineMs: number;
}

/** Thrown for a wrong name or module of an environment. */
export class CheckRefused extends Error {
  override readonly name = "CheckRefused";
}

/** Time limit in milliseconds for an async call to end after it was aborted. */
const abortMs = 5_000;
/** Time limit in milliseconds for loading modules. */
const loadMs = 30_000;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const watchMs = 100;
/** Milliseconds between two reports of the running check: on a terminal, and in a pipe. */
const reportMs = { terminal: 250, pipe: 3_000 };
/**
 * Time limit in milliseconds for a thread to close its sandboxes. The same limit applies to the thread's termination
 * afterwards.
 */
const endingMs = 5_000;

/**
 * Implements `palestra check`: runs the conformance suite on some or all environments, and prints each result at once.
 * If an environment hangs, its running check fails and its further checks are skipped. Later environments are still
 * checked.
 *
 * @throws {CheckRefused} if a name or a module is wrong
 * @throws {Interrupted} after a signal. A second signal ends the process at once
 */
export async function check(
  config: CheckThreadData["config"] & Pick<Config, "hosts">,
  names: string[],
  options: CheckOptions,
): Promise<CheckReport> {
  const report: CheckReport = { passed: 0, failed: 0, skipped: 0, results: [], isStuck: false };
  const onResult = (result: CheckResult) => {
    report[result.outcome] += 1;
    report.results.push(result);
    if (!options.json) console.log(resultText(result));
  };
  let run: CheckRun | undefined;
  const interrupt = () => run?.interrupt();
  for (const signal of signals) process.once(signal, interrupt);
  let first = 0;
  do {
    run = new CheckRun(config, names, first, { ...options, onResult });
    await run.ended;
    report.isStuck ||= run.isStuck;
    first += run.checked;
  } while (!run.isDone);
  for (const signal of signals) process.off(signal, interrupt);
  const { passed, failed, skipped, results } = report;
  if (options.json) console.log(JSON.stringify({ passed, failed, skipped, results }, null, 2));
  else console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return report;
}

/**
 * One checking thread. The thread runs until all environments are checked, or until an environment hangs or ends the
 * thread.
 */
class CheckRun {
  readonly ended: Promise<void>;
  /** Number of environments whose checks are finished. */
  checked = 0;
  isDone = false;
  isStuck = false;

  private readonly mark = new CallMark();
  private readonly worker: Worker;
  private readonly watch: NodeJS.Timeout;
  private settle!: (error?: Error) => void;
  private environment: { environment: string; isAsync: boolean; callMs: number } | undefined;
  private readonly finished = new Set<string>();
  private check: { name: string; startedAt: number } | undefined;
  private count = 0;
  private countedAt = performance.now();
  private isEnding = false;
  private saidAt = performance.now();

  constructor(
    { environments, sandboxes, limits, hosts }: Parameters<typeof check>[0],
    names: string[],
    first: number,
    private readonly options: CheckOptions & { onResult(result: CheckResult): void },
  ) {
    this.ended = new Promise((resolve, reject) => {
      this.settle = (error) => (error ? reject(error) : resolve());
    });
    const { episodes } = options;
    const config = { environments, sandboxes, limits };
    const workerData: CheckThreadData = { config, names, first, episodes, mark: this.mark.buffer };
    this.worker = new Worker(new URL("./check-thread.js", import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: hosts.memoryMb },
      stdout: true,
    });
    // An environment that prints must not spoil the results.
    this.worker.stdout.pipe(process.stderr);
    this.worker.on("message", (notice: CheckNotice) => this.onNotice(notice));
    this.worker.on("error", (error) =>
      this.giveUp("the checking thread to continue", `${error.name}: ${error.message}`),
    );
    this.worker.on("exit", (code) => this.giveUp("the checking thread to continue", `its exit with code ${code}`));
    this.watch = setInterval(() => this.look(), watchMs);
  }

  /** Closes the sandboxes of the environment, and lets `ended` fail. */
  interrupt(): void {
    this.end(new Interrupted("The checks were interrupted."));
  }

  private onNotice(notice: CheckNotice): void {
    switch (notice.type) {
      case "refused":
        return this.end(new CheckRefused(notice.message));
      case "environment":
        this.environment = notice;
        this.finished.clear();
        return;
      case "check":
        this.check = { name: notice.check, startedAt: performance.now() };
        return;
      case "result":
        return this.take(notice.result);
      case "checked":
        this.checked += 1;
        this.environment = undefined;
        return;
      case "done":
        this.isDone = true;
        return this.end();
    }
  }

  private take(result: CheckResult): void {
    this.finished.add(result.check);
    this.clearRunning();
    this.saidAt = performance.now();
    this.options.onResult(result);
  }

  /** Ends the thread when a call has exceeded its time limit. A check whose calls end may take any time. */
  private look(): void {
    const { mark, environment } = this;
    if (this.isEnding) return;
    const now = performance.now();
    if (mark.count !== this.count) {
      this.count = mark.count;
      this.countedAt = now;
    }
    const mostMs = environment
      ? Math.min(environment.callMs + (environment.isAsync ? abortMs : 0), this.options.deadlineMs)
      : loadMs;
    if (now - this.countedAt > mostMs) {
      this.giveUp(`${mark.call} to end within ${mostMs / 1_000} s`, "a call that did not end");
    } else this.showRunning(now);
  }

  /** Records the environment's running check as failed, and skips its remaining checks. */
  private giveUp(expected: string, received: string): void {
    if (this.isEnding) return;
    const { environment, check } = this;
    const [failed, ...skipped] = checkNames.filter((name) => !this.finished.has(name));
    if (!environment || !check || failed === undefined) return this.end(new OperatorError(expected, received));
    const result = { environment: environment.environment, durationMs: 0 };
    const durationMs = performance.now() - check.startedAt;
    const detail = `expected ${expected}, but received ${received}`;
    this.take({ ...result, check: failed, outcome: "failed", detail, durationMs });
    for (const name of skipped) {
      this.take({ ...result, check: name, outcome: "skipped", detail: `needs ${failed}, which did not end` });
    }
    this.checked += 1;
    this.end();
  }

  private end(error?: Error): void {
    if (this.isEnding) return;
    this.isEnding = true;
    clearInterval(this.watch);
    this.clearRunning();
    void this.stop().then(() => this.settle(error));
  }

  private async stop(): Promise<void> {
    const exited = new Promise<true>((resolve) => this.worker.once("exit", () => resolve(true)));
    if (this.worker.threadId === -1) return;
    this.worker.postMessage("end");
    // A synchronous environment has no sandboxes to close, and cannot receive a message while it hangs.
    const isDeaf = this.environment?.isAsync === false;
    if (!isDeaf && (await Promise.race([exited, after(endingMs)]))) return;
    void this.worker.terminate();
    this.isStuck = !(await Promise.race([exited, after(endingMs)]));
  }

  /** Shows the running check on standard error: on a terminal at once, and in a pipe every few seconds. */
  private showRunning(now: number): void {
    const { isTTY } = process.stderr;
    const { environment, check, mark, finished } = this;
    if (!environment || !check || finished.has(check.name)) return;
    if (now - this.saidAt < (isTTY ? reportMs.terminal : reportMs.pipe)) return;
    this.saidAt = now;
    const task = mark.place ? `, task ${mark.place.at} of ${mark.place.of}` : "";
    const place = `check ${finished.size + 1} of ${checkNames.length}${task}`;
    const running = `${environment.environment}  ${check.name} (${place}): ${mark.call} ...`;
    process.stderr.write(isTTY ? `\r\u001b[2K${cutTo(running, process.stderr)}` : `${running}\n`);
  }

  private clearRunning(): void {
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[2K");
  }
}

function after(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms).unref());
}

function resultText({ environment, check, outcome, detail, trace, durationMs }: CheckResult): string {
  const mark = { passed: styled("green", "✓"), failed: styled("red", "✗"), skipped: styled("dim", "-") }[outcome];
  const frames = trace === undefined ? "" : `\n${trace}`;
  return `${mark} ${environment}  ${check}${detail === "" ? "" : `: ${detail}`}  (${Math.round(durationMs)} ms)${frames}`;
}
