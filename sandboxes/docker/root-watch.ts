/**
 * Watches the size of a writable root where the engine has no quota for it: a sandbox that has written more than it
 * may is ended within about a second. One file alone is bounded by the kernel.
 */
import type { AgentClient } from "../agent/agent-client.js";
import type { Engine } from "./engine.js";

const betweenMs = 1_000;

/** Watches until the client is lost. */
export function watchRoot(engine: Engine, container: string, client: AgentClient, diskMb: number): void {
  const look = async () => {
    try {
      const { SizeRw = 0 } = (await engine.call("to measure a container", () =>
        engine.docker.getContainer(container).inspect({ size: true } as object),
      )) as { SizeRw?: number };
      if (SizeRw > diskMb * 2 ** 20)
        client.lose(`${Math.ceil(SizeRw / 2 ** 20)} MiB in its root, of ${diskMb} at most`);
    } catch {
      // An engine that does not answer is noticed elsewhere; its containers are asked after again.
    }
    if (client.lost.aborted) return;
    timer = setTimeout(look, betweenMs);
    timer.unref();
  };
  let timer = setTimeout(look, betweenMs);
  timer.unref();
  client.lost.addEventListener("abort", () => clearTimeout(timer));
}
