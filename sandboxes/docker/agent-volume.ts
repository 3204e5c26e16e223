/** The agent's program at an engine: a volume that every container mounts read-only. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { type Pack, pack } from "tar-stream";
import { agentProgram } from "../agent/program.js";
import { agentFolder } from "./container-body.js";
import { type Engine, statusOf } from "./engine.js";
import { labelsOf } from "./labels.js";

const mostFillingMs = 600_000;

/**
 * Name of the volume, which is made and filled where that has not been done.
 *
 * @param image id of any image of the engine: a volume is filled through a container that never runs
 * @throws {SandboxError} MISSING, START, TIMEOUT
 */
export async function agentVolume(engine: Engine, image: string): Promise<string> {
  const program = await agentProgram();
  const name = `palestra-${basename(program)}`;
  const { docker } = engine;
  await engine.call("to make a volume", (abortSignal) => docker.createVolume({ Name: name, abortSignal }));
  const body = {
    Image: image,
    Cmd: ["none"],
    Labels: labelsOf("agent-volume", Date.now() + mostFillingMs),
    HostConfig: { NetworkMode: "none", Mounts: [{ Type: "volume", Source: name, Target: agentFolder }] },
  };
  const container = await engine.call("to create a container", () => docker.createContainer(body as never));
  try {
    const bytes = await readFile(program);
    if ((await sizeOf(engine, container.id)) !== bytes.length)
      await engine.call("to store the agent", (abortSignal) =>
        container.putArchive(archiveOf(bytes) as never, { path: agentFolder, abortSignal } as never),
      );
  } finally {
    await engine.call("to remove a container", () => container.remove({ force: true }));
  }
  return name;
}

/** Bytes of the agent in the volume; undefined where there is none. */
async function sizeOf(engine: Engine, container: string): Promise<number | undefined> {
  try {
    const response = (await engine.call("to look for the agent", () =>
      engine.docker.getContainer(container).infoArchive({ path: `${agentFolder}/agent` }),
    )) as NodeJS.ReadableStream & { headers: Record<string, string> };
    response.resume();
    const told = response.headers["x-docker-container-path-stat"] ?? "";
    return (JSON.parse(Buffer.from(told, "base64").toString()) as { size: number }).size;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

function archiveOf(bytes: Buffer): Pack {
  const archive = pack();
  archive.entry({ name: "agent", mode: 0o555, uid: 0, gid: 0 }, bytes);
  archive.finalize();
  return archive;
}
