/**
 * A temporary copy of this machine. A shell runs in its own namespaces, with overlays over the folders that it changes,
 * so that a test can create users, install files and listen on any port. Needs Linux and root.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";

export interface Ran {
  code: number;
  output: string;
}

const written = ["/etc", "/opt", "/var", "/usr/local", "/home"];
const setup = `
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs /mnt
for folder in ${written.join(" ")}; do
  mkdir -p /mnt/upper$folder /mnt/work$folder
  mount -t overlay overlay -o lowerdir=$folder,upperdir=/mnt/upper$folder,workdir=/mnt/work$folder $folder
done
ip link set lo up
set +e
`;
const unshare = ["--mount", "--net", "--pid", "--fork", "--mount-proc", "--kill-child"];
const mostCommandMs = 240_000;

/** Returns the reason why this machine cannot make such a copy, or undefined. */
export function missingForPrivateMachine(programs: readonly string[]): string | undefined {
  if (process.getuid?.() !== 0) return "not root";
  for (const program of ["unshare", "ip", "runuser", "useradd", ...programs]) {
    if (!succeeds("sh", ["-c", `command -v ${program}`])) return `no program ${program}`;
  }
  if (!succeeds("unshare", [...unshare, "sh", "-c", setup])) return "no namespaces or overlays";
  return undefined;
}

function succeeds(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore", timeout: 240_000 });
    return true;
  } catch {
    return false;
  }
}

export class PrivateMachine {
  private readonly shell: ChildProcess;
  private output = "";

  /** @param folder first working directory */
  constructor(folder: string) {
    this.shell = spawn("unshare", [...unshare, "bash", "--noprofile", "--norc"], {
      cwd: folder,
      stdio: ["pipe", "pipe", "pipe"],
    });
    for (const stream of [this.shell.stdout, this.shell.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
    }
    this.shell.stdin?.write(setup);
  }

  /** Runs a command in the shell, which keeps its working directory and variables. */
  async run(command: string): Promise<Ran> {
    this.output = "";
    const end = `end-of-command-${process.hrtime.bigint()}`;
    this.shell.stdin?.write(`${command} </dev/null 2>&1\necho "${end} $?"\n`);
    const pattern = new RegExp(`${end} ([0-9]+)\n`);
    for (const until = Date.now() + mostCommandMs; ; ) {
      const match = pattern.exec(this.output);
      if (match) return { code: Number(match[1]), output: this.output.slice(0, match.index) };
      if (Date.now() > until || this.shell.exitCode !== null)
        throw new Error(`expected ${command} to end, but received ${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Runs a command that has to succeed, and returns its output. */
  async succeeds(command: string): Promise<string> {
    const { code, output } = await this.run(command);
    if (code !== 0) throw new Error(`expected ${command} to succeed, but received code ${code}: ${output}`);
    return output;
  }

  /** Ends the shell and every process that it started. */
  async close(): Promise<void> {
    if (this.shell.exitCode !== null || this.shell.signalCode !== null) return;
    this.shell.kill("SIGKILL");
    await once(this.shell, "exit");
  }
}
