/** The volume with the agent's program, which every container of an engine mounts read-only. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { extract, type Pack, pack } from "tar-stream";
import { agentProgram } from "../agent/program.js";
import { agentFolder } from "./container-body.js";
import { type Engine, statusOf } from "./engine.js";
import { keepLive, labelsOf } from "./labels.js";

const mostFillingMs = 600_000;

/**
 * Returns the name of the volume. Creates and fills the volume if needed.
 *
 * @param image id of any image in the engine; a container of this image, which is never started, fills the volume
 * @throws {SandboxError} MISSING, START, TIMEOUT
 */
export async function agentVolume(engine: Engine, image: string): Promise<string> {
  const program = await agentProgram();
  const name = `palestra-${basename(program)}`;
  const { docker } = engine;
  await engine.call("to make a volume", (abortSignal) => docker.createVolume({ Name: name, abortSignal }));
  const id = `agent-volume-${randomUUID()}`;
  const leave = keepLive(id);
  try {
    await fill(engine, { image, volume: name, id, program });
  } finally {
    leave();
  }
  return name;
}

interface Filling {
  image: string;
  volume: string;
  /** Label of the container. */
  id: string;
  /** Path of the agent's program on this machine. */
  program: string;
}

async function fill(engine: Engine, { image, volume, id, program }: Filling): Promise<void> {
  const body = {
    Image: image,
    Cmd: ["none"],
    Labels: labelsOf(id, Date.now() + mostFillingMs),
    HostConfig: {
      NetworkMode: "none",
      Mounts: [{ Type: "volume", Source: volume, Target: agentFolder, VolumeOptions: { NoCopy: true } }],
    },
  };
  const container = await engine.call("to create a container", () => engine.docker.createContainer(body as never));
  try {
    const bytes = await readFile(program);
    if (!(await agentIn(engine, container.id))?.equals(bytes))
      await engine.call("to store the agent", (abortSignal) =>
        container.putArchive(archiveOf(bytes) as never, { path: agentFolder, abortSignal } as never),
      );
  } finally {
    await engine.call("to remove a container", () => container.remove({ force: true, v: true }));
  }
}

/** Returns the agent's program in the volume, or undefined if the volume is empty. */
async function agentIn(engine: Engine, container: string): Promise<Buffer | undefined> {
  try {
    return await engine.call("to read the agent", async () => {
      const archive = await engine.docker.getContainer(container).getArchive({ path: `${agentFolder}/agent` });
      return firstFileOf(archive);
    });
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

function firstFileOf(archive: NodeJS.ReadableStream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const entries = extract();
    entries.on("entry", (_, content, next) => {
      const parts: Buffer[] = [];
      content.on("data", (part) => parts.push(part as Buffer));
      content.on("end", () => {
        resolve(Buffer.concat(parts));
        next();
      });
    });
    entries.on("finish", () => resolve(Buffer.alloc(0)));
    entries.on("error", reject);
    archive.on("error", reject).pipe(entries);
  });
}

function archiveOf(bytes: Buffer): Pack {
  const archive = pack();
  archive.entry({ name: "agent", mode: 0o555, uid: 0, gid: 0 }, bytes);
  archive.finalize();
  return archive;
}
