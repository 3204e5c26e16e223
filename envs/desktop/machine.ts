/**
 * A sandbox with a desktop. The desktop consists of a virtual X server, a window manager and the programs of a task.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { FileEntry, MachineProvider, Sandbox, SandboxSpec } from "../../sandboxes/sandbox.js";
import { sandboxCode } from "../errors.js";
import { once } from "../shared/kept/data-file.js";
import type { Input } from "./input.js";
import type { Task } from "./tasks.js";

export const image = "palestra-desktop:1";
const home = "/home/user";
const lifetimeMs = 4 * 3_600_000;

const spec: SandboxSpec = {
  image,
  writable: [home],
  folder: home,
  network: "none",
  limits: { memoryMb: 512, cpus: 1, processes: 128, diskMb: 64 },
  environment: { DISPLAY: ":0", HOME: home, LANG: "C.UTF-8", TZ: "UTC" },
  lifetimeMs,
};

const data = (name: string) => readFileSync(new URL(`./data/${name}`, import.meta.url));
const driver = once(() => data("driver.py"));
const settings = once((): readonly [path: string, data: Buffer][] => [
  [".config/openbox/rc.xml", data("home/rc.xml")],
  [".config/openbox/menu.xml", data("home/menu.xml")],
  [".config/xfe/xferc", data("home/xferc")],
  [".config/xfe/xfwriterc", data("home/xfwriterc")],
]);

/** Milliseconds without a change and without a busy program, after which the screen counts as settled. */
const stillMs = 80;
/** Milliseconds after which the screen is captured even if it is still changing. */
const mostSettlingMs = 2_000;
/** Time limit of a driver call in milliseconds, in addition to the duration of the input. */
const mostDrivingMs = 60_000;
const mostAnswerBytes = 8 * 2 ** 20;
const mostFileBytes = 64 * 2 ** 10;

const Sight = z.object({
  message: z.string().max(4_000),
  cursor: z.tuple([z.int(), z.int()]),
  windows: z.array(
    z.object({ title: z.string(), class: z.string(), states: z.array(z.string()), isActive: z.boolean() }),
  ),
  isSettled: z.boolean(),
  picture: z.base64(),
});

/** State of the screen. `picture` is a PNG in Base64. `windows` lists the windows from the lowest to the topmost. */
export type Sight = z.infer<typeof Sight>;

/** Error if the X server or the driver does not respond. */
export class DesktopGone extends Error {
  override readonly name = "DesktopGone";
  constructor(expected: string, received: string) {
    super(`expected ${expected}, but received ${received}`);
  }
}

export class DesktopMachine {
  private readonly openedAt = performance.now();

  private constructor(private readonly sandbox: Sandbox) {}

  /**
   * Opens a desktop with a task's files and windows.
   *
   * @throws {SandboxError} the sandbox failed
   * @throws {DesktopGone} the desktop did not start
   * @throws the signal's reason
   */
  static async open(machines: MachineProvider, task: Task, signal: AbortSignal): Promise<[DesktopMachine, Sight]> {
    const machine = new DesktopMachine(await machines.open(spec, signal));
    try {
      return [machine, await machine.start(task, signal)];
    } catch (error) {
      await machine.close();
      throw error;
    }
  }

  /** Whether the sandbox has reached the end of its lifetime. */
  get isPastLifetime(): boolean {
    return performance.now() - this.openedAt >= lifetimeMs;
  }

  /**
   * Sends input to the desktop and captures the settled screen.
   *
   * @throws {SandboxError} LOST
   * @throws {DesktopGone} the desktop is not responding
   */
  act({ arguments: args, keys, playMs }: Input, signal: AbortSignal): Promise<Sight> {
    return this.drive(args.length > 0 ? { input: args, keys } : {}, playMs, signal);
  }

  /**
   * Captures the settled screen.
   *
   * @throws {SandboxError} LOST
   * @throws {DesktopGone} the desktop is not responding
   */
  look(signal: AbortSignal): Promise<Sight> {
    return this.drive({}, 0, signal);
  }

  /**
   * Reads a file of the home folder. Returns undefined if the file does not exist, is unreadable or is too large.
   *
   * @throws {SandboxError} the sandbox failed
   */
  readText(path: string): Promise<string | undefined> {
    return unlessMissing(async () => {
      const bytes = await this.sandbox.readFile(`${home}/${path}`, { maxBytes: mostFileBytes });
      return Buffer.from(bytes).toString("utf8");
    });
  }

  /**
   * Lists the entries of a folder inside the home folder. Returns undefined if the folder does not exist.
   *
   * @throws {SandboxError} the sandbox failed
   */
  list(path: string): Promise<FileEntry[] | undefined> {
    return unlessMissing(() => this.sandbox.list(`${home}/${path}`));
  }

  /**
   * Returns the permission bits of a file in the home folder, or undefined if the file does not exist.
   *
   * @throws {SandboxError} the sandbox failed
   */
  modeOf(path: string): Promise<number | undefined> {
    return unlessMissing(async () => (await this.sandbox.stat(`${home}/${path}`)).mode);
  }

  close(): Promise<void> {
    return this.sandbox.close();
  }

  private async start({ files, open }: Task, signal: AbortSignal): Promise<Sight> {
    const given = Object.entries(files).map(([path, text]) => [path, Buffer.from(text)] as const);
    for (const [path, bytes] of [...settings(), ...given]) {
      signal.throwIfAborted();
      if (path.endsWith("/")) await this.sandbox.exec(["mkdir", "-p", `${home}/${path}`], { signal });
      else await this.sandbox.writeFile(`${home}/${path}`, bytes);
    }
    const sight = await this.drive({ start: open }, 0, signal);
    const expected = open.reduce((sum, { windows }) => sum + windows, 0);
    if (sight.windows.length === expected) return sight;
    throw new DesktopGone(`${expected} windows at the start`, sight.windows.map(({ title }) => title).join(", "));
  }

  private async drive(request: object, playMs: number, signal: AbortSignal): Promise<Sight> {
    const asked = { ...request, least: stillMs, most: mostSettlingMs };
    const { exitCode, stdout, stderr, isTimedOut } = await this.sandbox.exec(
      ["python3", "-I", "-S", "-", JSON.stringify(asked)],
      { input: driver(), timeoutMs: mostDrivingMs + playMs, maxOutputBytes: mostAnswerBytes, signal },
    );
    if (isTimedOut) throw new DesktopGone(`the desktop to answer within ${mostDrivingMs} ms`, "no answer");
    if (exitCode !== 0) throw new DesktopGone("the desktop to answer", `exit code ${exitCode}: ${stderr.slice(-500)}`);
    const answer = Sight.safeParse(parsed(stdout));
    if (answer.success) return answer.data;
    throw new DesktopGone("an answer of the driver", stdout.slice(0, 200));
  }
}

async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    // For example, the path may be a folder, or the file may not be readable.
    if (["NO_FILE", "TOO_LARGE", "REFUSED"].includes(sandboxCode(error) ?? "")) return undefined;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
