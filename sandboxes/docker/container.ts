import { randomUUID } from "node:crypto";
import { AgentClient } from "../agent/agent-client.js";
import type { Machinery } from "../agent/agent-sandbox.js";
import { SandboxError, type Snapshot } from "../sandbox.js";
import type { Attachment } from "./attachment.js";
import { type ContainerShape, containerBody } from "./container-body.js";
import { type Engine, statusOf } from "./engine.js";
import { keepLive, labelsOf } from "./labels.js";

/** Milliseconds during which the removal of a container is tried repeatedly. */
const mostRemovingMs = 30_000;
const mostCommittingMs = 300_000;
/** Milliseconds between two measurements of a writable root. */
const betweenMeasurementsMs = 1_000;
/** Number of failed measurements in a row after which the sandbox is ended. */
const mostFailures = 5;

/** A running container and the client of its agent. */
export class Container implements Machinery {
  private ending: Promise<void> | undefined;

  private constructor(
    readonly id: string,
    readonly shape: ContainerShape,
    readonly client: AgentClient,
    /** Expiry in milliseconds since the epoch. After this time, any gym removes the container. */
    readonly expiresMs: number,
    private readonly engine: Engine,
    private readonly leave: () => void,
  ) {}

  /**
   * Creates and starts a container, and waits for its agent.
   *
   * @throws {SandboxError} REFUSED, START, TIMEOUT, MISSING @throws the signal's reason
   */
  static async start(
    engine: Engine,
    shape: ContainerShape,
    { expiresMs, startMs, signal }: { expiresMs: number; startMs: number; signal: AbortSignal },
  ): Promise<Container> {
    const id = `docker-${randomUUID()}`;
    const body = { ...containerBody(shape, labelsOf(id, expiresMs)), name: `palestra-${id}` };
    const leave = keepLive(id);
    try {
      const create = (abortSignal: AbortSignal) => engine.docker.createContainer({ ...body, abortSignal });
      await engine.call("to create a container", create, startMs);
      signal.throwIfAborted();
      const line = await engine.attach(`palestra-${id}`);
      const container = new Container(id, shape, new AgentClient(line, id), expiresMs, engine, leave);
      await container.become(line, startMs, signal);
      return container;
    } catch (error) {
      await remove(engine, id);
      leave();
      throw error;
    }
  }

  async snapshot(): Promise<Snapshot> {
    if (!this.shape.isRootWritable)
      throw new SandboxError("REFUSED", "a sandbox with a writable root", "a read-only root");
    const { docker } = this.engine;
    const image = `palestra-snapshot:${randomUUID()}`;
    const [repo, tag] = image.split(":");
    await this.engine.call(
      "to keep a container's files",
      // The image inherits the container's labels, and with the labels its expiry.
      (abortSignal) => docker.getContainer(`palestra-${this.id}`).commit({ repo, tag, pause: true, abortSignal }),
      mostCommittingMs,
    );
    const remove = () =>
      this.engine.call("to remove an image", () => docker.getImage(image).remove({ force: true }) as Promise<unknown>);
    return { image, remove: () => remove().then(nothing, nothing) };
  }

  end(): Promise<void> {
    this.client.lose("a close of the sandbox");
    this.ending ??= remove(this.engine, this.id).then(this.leave);
    return this.ending;
  }

  private async become(line: Attachment, startMs: number, signal: AbortSignal): Promise<void> {
    const { client, engine, id } = this;
    const container = engine.docker.getContainer(`palestra-${id}`);
    await client.comeUp({
      expected: "a container whose agent answers",
      ms: startMs,
      signal,
      begin: () => engine.call("to start a container", () => container.start(), startMs),
      said: () => line.output.errors,
    });
    const { isRootWritable, hasQuota, limits } = this.shape;
    if (isRootWritable && !hasQuota) watchRoot(engine, `palestra-${id}`, client, limits.diskMb);
  }
}

/**
 * Removes a container, even while the engine is removing it by itself. Never rejects. A container that could not be
 * removed is collected after its expiry.
 */
async function remove(engine: Engine, id: string): Promise<void> {
  const container = engine.docker.getContainer(`palestra-${id}`);
  const until = performance.now() + mostRemovingMs;
  for (let waitMs = 10; performance.now() < until; waitMs = Math.min(1_000, waitMs * 2)) {
    try {
      await engine.call("to remove a container", () => container.remove({ force: true, v: true }));
    } catch (error) {
      if (statusOf(error) === 404) return;
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/**
 * Ends a sandbox within about a second after its writable root exceeds `diskMb`. Used for engines without quotas. The
 * measurement does not count open files that were deleted. The kernel limits the size of a single file.
 */
function watchRoot(engine: Engine, container: string, client: AgentClient, diskMb: number): void {
  let failures = 0;
  const inspect = () => engine.docker.getContainer(container).inspect({ size: true } as object);
  const look = async () => {
    try {
      const { SizeRw = 0 } = (await engine.call("to measure a container", inspect)) as { SizeRw?: number };
      failures = 0;
      if (SizeRw > diskMb * 2 ** 20)
        client.lose(`${Math.ceil(SizeRw / 2 ** 20)} MiB in its root, above the limit of ${diskMb} MiB`);
    } catch {
      failures += 1;
      if (failures === mostFailures) client.lose(`${mostFailures} failed measurements of its root in a row`);
    }
    if (client.lost.aborted) return;
    timer = setTimeout(look, betweenMeasurementsMs);
    timer.unref();
  };
  let timer = setTimeout(look, betweenMeasurementsMs);
  timer.unref();
  client.lost.addEventListener("abort", () => clearTimeout(timer));
}

function nothing(): void {}
