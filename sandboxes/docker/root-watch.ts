/**
 * Watches the size of a writable root where the engine has no quota for it: a sandbox whose files are larger than they
 * may be is ended within about a second. It sees no file that was deleted while open; one file alone is bounded by the kernel.
 */
import type { AgentClient } from "../agent/agent-client.js";
import type { Engine } from "./engine.js";

const betweenMs = 1_000;
/** In a row. */
const mostFailures = 5;

/** Watches until the client is lost. */
export function watchRoot(engine: Engine, container: string, client: AgentClient, diskMb: number): void {
  let failures = 0;
  const look = async () => {
    try {
      const { SizeRw = 0 } = (await engine.call("to measure a container", () =>
        engine.docker.getContainer(container).inspect({ size: true } as object),
      )) as { SizeRw?: number };
      failures = 0;
      if (SizeRw > diskMb * 2 ** 20)
        client.lose(`${Math.ceil(SizeRw / 2 ** 20)} MiB in its root, of ${diskMb} at most`);
    } catch {
      failures += 1;
      if (failures === mostFailures) client.lose(`a root whose size could not be told ${mostFailures} times`);
    }
    if (client.lost.aborted) return;
    timer = setTimeout(look, betweenMs);
    timer.unref();
  };
  let timer = setTimeout(look, betweenMs);
  timer.unref();
  client.lost.addEventListener("abort", () => clearTimeout(timer));
}
