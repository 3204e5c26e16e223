/** Servers under load run as processes of their own, so that they and the load generator share nothing but the wire. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface ServerProcess {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The gym itself, on a free port, with an empty log. */
export async function startPalestra(env: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), "palestra-bench-"));
  const args = ["dist/server/cli.js", "--data-dir", dataDir, "serve", "--port", "0", "--log-level", "warn"];
  const server = await start(args, { ...process.env, ...env });
  return {
    ...server,
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** `bare-fastify` or `bare-ws`: nothing but the framework, for what a server can do at best. */
export function startBare(name: "bare-fastify" | "bare-ws"): Promise<ServerProcess> {
  return start(["--import", "tsx", join("test", "bench", `${name}.ts`)], process.env);
}

async function start(args: string[], env: NodeJS.ProcessEnv): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  const url = await listeningUrl(child);
  return {
    url,
    pid: child.pid as number,
    async stop() {
      child.kill("SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

async function listeningUrl(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const url = /http:\/\/[0-9.]+:[0-9]+/.exec(line)?.[0];
    if (url) {
      child.stdout?.resume();
      return url;
    }
  }
  throw new Error("expected the server to print its URL, but it ended");
}
