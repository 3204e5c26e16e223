/** Servers under load run as processes of their own, so that they and the load generator share nothing but the wire. */
import { join } from "node:path";
import { type RunningServer, scratchDir, startGym, startNode } from "../support/server-process.js";

export interface ServerProcess {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** The gym itself, on a free port, with an empty log. @param environmentModules beside the built-in ones */
export async function startPalestra(
  env: NodeJS.ProcessEnv = {},
  environmentModules: readonly string[] = [],
): Promise<ServerProcess> {
  const data = scratchDir();
  return stoppable(await startGym({ dataDir: data.path, env, environmentModules, showErrors: true }), data.remove);
}

/** `bare-fastify` or `bare-ws`: nothing but the framework, for what a server can do at best. */
export async function startBare(name: "bare-fastify" | "bare-ws"): Promise<ServerProcess> {
  const process = startNode(["--import", "tsx", join("test", "bench", `${name}.ts`)], { showErrors: true });
  return stoppable({ process, url: await process.listeningUrl() });
}

function stoppable({ process, url }: RunningServer, afterwards = () => {}): ServerProcess {
  return {
    url,
    pid: process.pid,
    async stop() {
      await process.stop();
      afterwards();
    },
  };
}
