/** A running copy of a site: a container that the gym started, or an external site. */
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { StorageState } from "../../sandboxes/browser.js";
import type { MachineProvider, Sandbox } from "../../sandboxes/sandbox.js";
import { ServiceFailed } from "../errors.js";
import { SiteClient } from "../shared/web-tasks/site-client.js";
import type { SiteName } from "../shared/web-tasks/tasks/sites.js";
import { ChangeMark } from "./change-mark.js";
import type { MachineSettings, ResetSettings } from "./settings.js";

export interface SiteCopy {
  /** URL of the site, without a trailing slash. */
  readonly url: string;
  /** Real address of the site's host, for `BrowserRequest.addresses`. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Cookies of the latest login, if a login was saved. */
  login: StorageState | undefined;
  /** Whether an episode has changed the site since the last reset. */
  isChanged: boolean;
  /**
   * Starts or resets the site, and waits until it answers.
   *
   * @throws {ServiceFailed} the site failed
   * @throws {SandboxError} the container failed
   * @throws the signal's reason
   */
  ready(signal: AbortSignal): Promise<void>;
}

/** GitLab's image needs about ten minutes to start and to apply its settings. */
const resetMs = 1_200_000;
const pollMs = 1_000;
const readyPollMs = 200;
const mostErrorText = 500;
/** Lifetime of a site's container in milliseconds. It is longer than a gym usually runs. */
const lifetimeMs = 7 * 86_400_000;

export class DistantSite implements SiteCopy {
  readonly addresses = {};
  login: StorageState | undefined;
  private readonly mark: ChangeMark;
  private isMarked: boolean;
  private isChecked = false;
  /** Whether the site was reset and has not answered since. */
  private isStarting = false;

  constructor(
    readonly url: string,
    private readonly reset: ResetSettings | undefined,
  ) {
    this.mark = new ChangeMark(url);
    this.isMarked = this.mark.isSet;
  }

  get isChanged(): boolean {
    return this.isMarked;
  }

  set isChanged(isChanged: boolean) {
    if (isChanged === this.isMarked) return;
    this.isMarked = isChanged;
    if (!isChanged) this.mark.clear();
    else if (this.reset) this.mark.set();
  }

  async ready(signal: AbortSignal): Promise<void> {
    const { reset } = this;
    if (this.isChanged && reset) {
      await ("command" in reset ? runReset(reset.command, signal) : awaitReset(reset.url, signal));
      this.isChecked = false;
      this.isStarting = true;
      this.login = undefined;
    }
    this.isChanged = false;
    if (this.isChecked) return;
    await (this.isStarting ? this.untilAnswer(signal) : this.check(signal));
    this.isChecked = true;
    this.isStarting = false;
  }

  private check(signal: AbortSignal): Promise<void> {
    return new SiteClient().check(this.url, signal);
  }

  /** Waits until the site answers. The programs in a new container start after the command that creates it has ended. */
  private async untilAnswer(signal: AbortSignal): Promise<void> {
    const until = performance.now() + resetMs;
    for (;;) {
      const failure = await this.check(signal).then(
        () => undefined,
        (error: Error) => error,
      );
      signal.throwIfAborted();
      if (failure === undefined) return;
      if (performance.now() > until) throw failure;
      await sleep(pollMs, undefined, { signal });
    }
  }
}

export class SiteInMachine implements SiteCopy {
  readonly url: string;
  addresses: Readonly<Record<string, string>> = {};
  login: StorageState | undefined;
  isChanged = false;
  private machine: Sandbox | undefined;

  /** @param path path of the site's URL */
  constructor(
    private readonly name: SiteName,
    private readonly settings: MachineSettings,
    path: string,
    private readonly machines: MachineProvider,
  ) {
    this.url = `http://${this.host}${path.replace(/\/+$/, "")}`;
  }

  async ready(signal: AbortSignal): Promise<void> {
    if (this.machine && !this.isChanged && !this.machine.lost.aborted) return;
    await this.machine?.close();
    this.machine = undefined;
    this.login = undefined;
    const machine = await this.machines.open(this.spec(), signal);
    try {
      await this.start(machine, signal);
    } catch (error) {
      await machine.close();
      throw error;
    }
    this.machine = machine;
    this.isChanged = false;
  }

  private get host(): string {
    return `${this.name.replace("_", "-")}.test`;
  }

  private spec() {
    const { image, user, memoryMb, cpus, processes, diskMb } = this.settings;
    const limits = { memoryMb, cpus, processes, diskMb };
    return { image, user, limits, root: "writable", network: "loopback", lifetimeMs } as const;
  }

  private async start(machine: Sandbox, signal: AbortSignal): Promise<void> {
    const { start, afterStart, port, ready, readySeconds } = this.settings;
    const ended = machine
      .exec(start, { timeoutMs: lifetimeMs, maxOutputBytes: mostErrorText })
      .then(({ exitCode, stderr }) => new Error(`the site's program exited with code ${exitCode}: ${stderr.trim()}`));
    // In some images, the start program exits after starting the other programs.
    let end: Error | undefined;
    ended.then(
      (error) => {
        end = error;
      },
      () => {},
    );
    const { host: address, port: reached } = await machine.openPort(port);
    this.addresses = { [this.host]: `${address}:${reached}` };
    const until = performance.now() + readySeconds * 1_000;
    const client = new SiteClient(this.addresses);
    const readiness = async () => {
      const { status } = await client.ask(`http://${this.host}${ready}`, { signal });
      if (status !== 200) throw new Error(`status ${status}`);
    };
    await this.untilReady(readiness, { until, endOf: () => end, signal });
    for (const command of afterStart) await this.run(machine, command, signal);
    if (afterStart.length > 0) await this.untilReady(readiness, { until, endOf: () => end, signal });
    await client.check(this.url, signal);
  }

  private async untilReady(
    readiness: () => Promise<void>,
    { until, endOf, signal }: { until: number; endOf: () => Error | undefined; signal: AbortSignal },
  ): Promise<void> {
    for (;;) {
      const received = await readiness().then(
        () => undefined,
        (error: Error) => error.message,
      );
      signal.throwIfAborted();
      if (received === undefined) return;
      if (performance.now() > until) {
        const end = endOf();
        const expected = `the site ${this.name} within ${this.settings.readySeconds} s`;
        throw new ServiceFailed(expected, end ? `${received}; ${end.message}` : received);
      }
      await sleep(readyPollMs, undefined, { signal });
    }
  }

  private async run(machine: Sandbox, command: readonly string[], signal: AbortSignal): Promise<void> {
    const filled = command.map((word) => word.replaceAll("{url}", `http://${this.host}`));
    const { exitCode, stderr } = await machine.exec(filled, { timeoutMs: resetMs, signal });
    if (exitCode === 0) return;
    const said = stderr.trim().slice(-mostErrorText);
    throw new ServiceFailed(
      `the command ${filled.join(" ")} of the site ${this.name} to exit with code 0`,
      `code ${exitCode}: ${said}`,
    );
  }
}

async function runReset([program, ...args]: readonly string[], signal: AbortSignal): Promise<void> {
  try {
    await promisify(execFile)(program as string, args, { timeout: resetMs, signal });
  } catch (error) {
    signal.throwIfAborted();
    const { stderr, message } = error as Error & { stderr?: string };
    throw new ServiceFailed(`a reset by ${program}`, (stderr || message).trim().slice(-mostErrorText), error);
  }
}

/**
 * Resets a site through the reset server of gasse's WebArena setup. Its status 418 means that a reset is already in
 * progress.
 */
async function awaitReset(url: string, signal: AbortSignal): Promise<void> {
  const base = url.replace(/\/+$/, "");
  const ask = async (path: string) => {
    const reply = await fetch(base + path, { signal, redirect: "manual" }).catch((error: Error) => {
      signal.throwIfAborted();
      throw new ServiceFailed(`an answer of the reset server at ${base}`, error.message, error);
    });
    return { status: reply.status, text: await reply.text() };
  };
  const { status } = await ask("/reset");
  if (status !== 200 && status !== 418) throw new ServiceFailed(`a successful reset at ${base}`, `status ${status}`);
  const until = performance.now() + resetMs;
  for (;;) {
    const said = await ask("/status");
    if (said.status === 200 && said.text.trim() === "Ready for duty!") return;
    if (said.status >= 500)
      throw new ServiceFailed(`a successful reset at ${base}`, said.text.trim().slice(0, mostErrorText));
    if (performance.now() > until)
      throw new ServiceFailed(`a completed reset at ${base} within ${resetMs} ms`, said.text);
    await sleep(pollMs, undefined, { signal });
  }
}
