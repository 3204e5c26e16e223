/** Requirements of the workbench: machines, and tasks that can be added. */
import { execFile } from "node:child_process";
import { request } from "node:http";
import { promisify } from "node:util";
import type { Requirement } from "../env.js";
import { addedSplits } from "./added.js";

const probeMs = 700;
const defaultEngine = "unix:///var/run/docker.sock";
const baseImage = "palestra-base:1";

/** A sandbox with the programs that every task uses. */
const probeArguments = [
  ...["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"],
  ...["/bin/sh", "-c", "command -v bash && command -v tar && command -v python3"],
];

export const machines: Requirement = {
  name: "machines",
  howToGet:
    "Install bubblewrap, python3 and bash (`apt-get install bubblewrap python3`), or run Docker and `palestra setup images`.",
  async probe() {
    const [bubblewrap, docker] = await Promise.all([probeBubblewrap(), probeDocker()]);
    const available = [bubblewrap, docker].find(({ isThere }) => isThere);
    return {
      available: available !== undefined,
      detail: (available ?? { detail: `${bubblewrap.detail}; ${docker.detail}` }).detail,
    };
  },
};

/** Always there: the bundled tasks. `palestra setup tasks` adds others. */
export const tasks: Requirement = {
  name: "tasks",
  howToGet: "Add tasks in Harbor's format with `palestra setup tasks FOLDER`.",
  async probe() {
    const added = addedSplits().map(({ name, tasks: list }) => `${name} (${list.length})`);
    return { available: true, detail: `the bundled tasks${added.length > 0 ? `, and ${added.join(", ")}` : ""}` };
  },
  setUp: async (choices, progress) => (await import("./setup.js")).addTasks(choices, progress),
};

async function probeBubblewrap(): Promise<{ isThere: boolean; detail: string }> {
  try {
    await promisify(execFile)("bwrap", probeArguments, { timeout: probeMs });
    return { isThere: true, detail: "bubblewrap" };
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return { isThere: false, detail: `bubblewrap: ${(stderr || message).trim().split("\n", 1)[0]}` };
  }
}

/** Whether an engine answers and has the base image. */
function probeDocker(): Promise<{ isThere: boolean; detail: string }> {
  return new Promise((answer) => {
    const options = { ...engineAt(process.env.DOCKER_HOST || defaultEngine), path: `/images/${baseImage}/json` };
    const call = request({ ...options, timeout: probeMs }, (response) => {
      response.resume();
      const isThere = response.statusCode === 200;
      answer({ isThere, detail: isThere ? "Docker" : `Docker: ${response.statusCode} for the image ${baseImage}` });
    });
    call.on("timeout", () => call.destroy(new Error(`no answer within ${probeMs} ms`)));
    call.on("error", (error) => answer({ isThere: false, detail: `Docker: ${error.message}` }));
    call.end();
  });
}

function engineAt(address: string): { socketPath: string } | { host: string; port: number } {
  if (address.startsWith("unix://") || !URL.canParse(address)) return { socketPath: address.replace(/^unix:\/\//, "") };
  const { hostname, port } = new URL(address);
  return { host: hostname, port: Number(port) || 2375 };
}
