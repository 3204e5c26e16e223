/** The clone in which the tests follow the README, with its own home folder, ports and programs. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { freePort } from "../support/free-port.js";
import { freshClone } from "../support/fresh-clone.js";
import { scratchDir } from "../support/server-process.js";

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  /** Output of stdout and stderr. */
  output(): string;
  /** Waits until the output matches. */
  prints(pattern: RegExp): Promise<void>;
  readonly ended: Promise<Ran>;
  /** Ends the program and its children with SIGTERM. */
  stop(): Promise<Ran>;
}

/** The clone and the programs that its steps share. */
export interface Walk {
  clone: FirstHourClone;
  /** Model server that always gives the same answer. */
  model: Awaited<ReturnType<typeof parrot>>;
  /** Program of `npm start`, which runs until the end as in the README. */
  gym?: Started;
  endpointTraining?: Started;
}

/**
 * Timeout of a command. It is shorter than the timeout of the tests, so that a hanging command is reported with its
 * output.
 */
const mostCommandMs = 500_000;

export class FirstHourClone {
  readonly folder: string;
  private readonly home: string;
  private readonly started: Started[] = [];

  private constructor(
    private readonly scratch: { path: string; remove(): void },
    /** Port in place of 8700, which may be taken on this machine. */
    readonly port: number,
    /** Port in place of 8800. */
    readonly endpointPort: number,
  ) {
    this.folder = join(scratch.path, "palestra");
    this.home = join(scratch.path, "home");
    mkdirSync(this.home);
    freshClone(this.folder);
  }

  static async make(): Promise<FirstHourClone> {
    return new FirstHourClone(scratchDir(), await freePort(), await freePort());
  }

  /** Returns the README's text with this clone's ports. */
  adapt(text: string): string {
    return text
      .replaceAll("127.0.0.1:8700", `127.0.0.1:${this.port}`)
      .replaceAll("127.0.0.1:8800", `127.0.0.1:${this.endpointPort}`);
  }

  /** Returns the command with an option that names the gym of `npm start`. */
  inGym(command: string): string {
    return `${command} --gym http://127.0.0.1:${this.port}`;
  }

  /** Writes a file, and creates missing folders. */
  write(name: string, text: string): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Starts a shell command in the clone. `close` ends it at the latest. */
  start(command: string, input = ""): Started {
    const child = this.spawn(command);
    const streams = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        streams[name] += text;
      });
    }
    // A program that needs no further input closes its stdin.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
    const ended = new Promise<Ran>((resolve) => child.once("close", (code) => resolve({ code, ...streams })));
    const isRunning = () => child.exitCode === null && child.signalCode === null;
    const output = () => streams.stdout + streams.stderr;
    const prints = async (pattern: RegExp) => {
      while (!pattern.test(output())) {
        if (!isRunning()) throw new Error(`expected ${command} to print ${pattern}, but it ended: ${output()}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const stop = () => {
      if (isRunning()) process.kill(-(child.pid as number), "SIGTERM");
      return ended;
    };
    const started = { output, prints, ended, stop };
    this.started.push(started);
    return started;
  }

  /** Runs a shell command to its end. */
  run(command: string, input = ""): Promise<Ran> {
    return this.start(command, input).ended;
  }

  /** Runs a command that has to succeed, before its test's time is over. @returns its stdout */
  async succeeds(command: string, input = ""): Promise<string> {
    const started = this.start(command, input);
    const late = setTimeout(() => void started.stop(), mostCommandMs);
    const { code, stdout, stderr } = await started.ended.finally(() => clearTimeout(late));
    if (code !== 0) throw new Error(`expected exit code 0 of ${command}, but received ${code}:\n${stderr}${stdout}`);
    return stdout;
  }

  async stopAllBut(left: readonly (Started | undefined)[]): Promise<void> {
    await Promise.all(this.started.filter((each) => !left.includes(each)).map((each) => each.stop()));
  }

  async close(): Promise<void> {
    await this.stopAllBut([]);
    this.scratch.remove();
  }

  // The command gets its own process group, since npm and npx start the program as a child.
  private spawn(command: string): ChildProcess {
    return spawn("bash", ["-ec", command], { cwd: this.folder, env: this.environment(command), detached: true });
  }

  /** Environment without the variables of npm, vitest and Palestra. */
  private environment(command: string): NodeJS.ProcessEnv {
    const foreign = /^(npm_|PALESTRA_|GYM_|OPENAI_|VITEST|NODE_ENV$|XDG_|SCIENCEWORLD_)/;
    const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
    // Python finds the user's packages in the home folder.
    const home = /^\S*python/.test(command) ? {} : { HOME: this.home };
    return { ...Object.fromEntries(kept), ...home, OPENAI_API_KEY: "any", npm_config_update_notifier: "false" };
  }
}

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface ChatModel {
  /** Base URL of the API. */
  url: string;
  /** Number of requests so far. */
  asked(): number;
  close(): void;
}

/** A model server with OpenAI's chat completions that always gives the same reply. */
export function parrot(reply: string): Promise<ChatModel> {
  return scriptedModel(() => reply);
}

/** A model server with OpenAI's chat completions that replies with the result of `say`. */
export async function scriptedModel(say: (messages: readonly ChatMessage[]) => string): Promise<ChatModel> {
  let asked = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    asked += 1;
    const { messages } = JSON.parse(body || '{"messages": []}') as { messages: ChatMessage[] };
    const message = { role: "assistant", content: say(messages) };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }], usage }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, asked: () => asked, close: () => void server.close() };
}
