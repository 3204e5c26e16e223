import { BrowserProvider } from "../sandboxes/browser/browser-provider.js";
import { JvmProvider } from "../sandboxes/jvm/jvm-provider.js";
import { Machines } from "../sandboxes/machines.js";
import { Pool } from "../sandboxes/pool.js";
import { ProcessProvider } from "../sandboxes/process/process-provider.js";
import type { Sandboxes } from "../sandboxes/sandbox.js";
import type { Config } from "./config.js";

/** What environments get their sandboxes from, as the settings say. Nothing is started before one is asked for. */
export function openSandboxes({ sandboxes }: Pick<Config, "sandboxes">): Sandboxes & { close(): Promise<void> } {
  const { jvms, machines: most, warmMs, waitMs } = sandboxes;
  const jvm = new Pool(new JvmProvider(), { most: jvms, warmMs, waitMs });
  const machines = new Machines({ process: new ProcessProvider() }, { most, waitMs });
  const browsers = new BrowserProvider({
    browsers: sandboxes.browsers,
    contextsPerBrowser: sandboxes.contextsPerBrowser,
    warmContexts: sandboxes.warmContexts,
    program: sandboxes.browser,
    sandbox: sandboxes.browserSandbox,
    user: sandboxes.browserUser,
    memoryMb: sandboxes.browserMemoryMb,
    warmMs,
    waitMs,
  });
  return {
    jvm,
    machines,
    browsers,
    close: async () => {
      await Promise.all([jvm.close(), machines.close(), browsers.close()]);
    },
  };
}
