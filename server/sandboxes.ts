import { JvmProvider } from "../sandboxes/jvm/jvm-provider.js";
import { Pool } from "../sandboxes/pool.js";
import type { Sandboxes } from "../sandboxes/sandbox.js";
import type { Config } from "./config.js";

/** What environments get their sandboxes from, as the settings say. Nothing is started before one is asked for. */
export function openSandboxes({ sandboxes }: Pick<Config, "sandboxes">): Sandboxes & { close(): Promise<void> } {
  const { jvms: most, warmMs, waitMs } = sandboxes;
  const jvm = new Pool(new JvmProvider(), { most, warmMs, waitMs });
  return { jvm, close: () => jvm.close() };
}
