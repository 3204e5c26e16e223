/**
 * Manages the folder of a provider's browsers, their start scripts, and the guardian that ends the browsers if this
 * process dies.
 *
 * Playwright starts programs as this process's user and with its own temporary folder. The provider therefore gives
 * Playwright a small script in the browser's folder. The script executes Chromium as an ordinary user, with its profile
 * in that folder. Every Chromium process has the folder in its command line, which is how the processes are found.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, isRunning } from "../programs.js";
import { SandboxError } from "../sandbox.js";
import { endProcesses } from "./processes.js";

const prefix = "palestra-browsers-";
const endWithinMs = 5_000;

/**
 * Shell script of the guardian, which waits for the end of its standard input. This process keeps the input open while
 * it runs. $0 is the folder.
 */
const guardian = `
read -r end
end() {
  for file in $(grep -laF -- "$0/" /proc/[0-9]*/cmdline); do
    process="\${file#/proc/}"
    kill -KILL "\${process%/cmdline}"
  done
}
end; sleep 0.1; end; sleep 0.3; end
rm -rf -- "$0"
`;

export class BrowserFolder {
  private count = 0;

  private constructor(
    readonly path: string,
    private readonly guard: ChildProcess,
  ) {}

  /**
   * Makes a folder for browsers. When it is closed or this process ends, its processes are ended and the folder is
   * removed.
   */
  static async make(): Promise<BrowserFolder> {
    const path = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
    // Chromium's user can enter the folder but not list it.
    await chmod(path, 0o711);
    await mkdir(join(path, "artifacts"), { mode: 0o700 });
    // The guardian runs in a session of its own, so that a signal to this process's group does not end it.
    const guard = spawn("/bin/sh", ["-c", guardian, path], {
      detached: true,
      env: { PATH: systemPath },
      stdio: ["pipe", "ignore", "ignore"],
    });
    guard.on("error", () => {});
    guard.stdin.on("error", () => {});
    // The guardian must not keep this process alive.
    guard.unref();
    (guard.stdin as Socket).unref();
    return new BrowserFolder(path, guard);
  }

  /** Folder for Playwright's own files. */
  get artifacts(): string {
    return join(this.path, "artifacts");
  }

  /** Makes the folder of one browser, with its script `start`. @throws {SandboxError} MISSING */
  async add(program: string, user: number): Promise<string> {
    this.count += 1;
    const folder = join(this.path, `${this.count}`);
    const profile = join(folder, "profile");
    await mkdir(folder, { mode: 0o755 });
    await mkdir(profile, { mode: 0o700 });
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(profile, user, user);
    await writeFile(join(folder, "start"), await scriptOf(program, isRoot ? user : undefined), { mode: 0o755 });
    return folder;
  }

  /** Ends the browsers, and removes the folder. */
  async close(): Promise<void> {
    await endFolder(this.path);
    this.guard.kill("SIGKILL");
  }
}

/** Ends the processes of a folder and removes it. Never rejects. */
export async function endFolder(path: string): Promise<void> {
  await endProcesses(path, endWithinMs);
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
}

/** Ends browsers of gyms that no longer run, and removes their folders. Never rejects. */
export async function removeOrphans(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const orphans = names.filter((name) => {
    const pid = name.startsWith(prefix) && /^[0-9]+(?=-)/.exec(name.slice(prefix.length))?.[0];
    return pid && !isRunning(Number(pid));
  });
  await Promise.all(orphans.map((name) => endFolder(join(tmpdir(), name))));
}

const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Returns the environment of a browser, which has no variable of this process. */
export function environmentOf(folder: string): Record<string, string> {
  const profile = join(folder, "profile");
  return { PATH: systemPath, HOME: profile, TMPDIR: profile, XDG_RUNTIME_DIR: profile, LANG: "C.UTF-8", TZ: "UTC" };
}

/**
 * Chromium features to disable as well, because they contact Google's servers or, with WebRTC's multicast DNS, the local
 * network. Chromium uses only the last `--disable-features` flag.
 */
const featuresOff = "AutofillServerCommunication,Translate,WebRtcHideLocalIpsWithMdns";

/** Returns the start script of a browser. @param user user id, or undefined for this process's user */
async function scriptOf(program: string, user: number | undefined): Promise<string> {
  const confined =
    user === undefined
      ? []
      : [`--reuid=${user}`, `--regid=${user}`, "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"];
  const setpriv = await findProgram("setpriv", systemPath);
  if (!setpriv && user !== undefined) {
    const advice = "Install util-linux, or run the gym as an ordinary user";
    throw SandboxError.ofState(
      "MISSING",
      "The program setpriv, which starts Chromium as an ordinary user, is missing.",
      advice,
    );
  }
  // The kernel kills Chromium when the thread that started it ends.
  const become = setpriv ? `${quoted(setpriv)} ${confined.join(" ")} --pdeathsig KILL -- ` : "";
  return `#!/bin/sh
# Starts Chromium for Playwright, whose own folder for the profile is not used.
folder="\${0%/*}"
for argument; do
  case "$argument" in
    --user-data-dir=*) rmdir -- "\${argument#*=}" 2>/dev/null ;;
    --disable-features=*) features="\${argument#*=}," ;;
  esac
done
ulimit -c 0
cd "$folder/profile" || exit 1
exec ${become}${quoted(program)} "$@" --user-data-dir="$folder/profile" --disable-features="\${features}${featuresOff}"
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
