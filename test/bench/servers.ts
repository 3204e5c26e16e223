/** Starts servers in their own processes, so that they share nothing with the load generator except the connection. */
import { join } from "node:path";
import { type RunningServer, scratchDir, startGym, startNode } from "../support/server-process.js";

export interface ServerProcess {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the gym with an empty log. @param environmentModules further environments @param port Default: a free port. */
export async function startPalestra(
  env: NodeJS.ProcessEnv = {},
  environmentModules: readonly string[] = [],
  port = 0,
): Promise<ServerProcess> {
  const data = scratchDir();
  return stoppable(
    await startGym({ dataDir: data.path, port, env, environmentModules, showErrors: true }),
    data.remove,
  );
}

/** Starts `bare-fastify` or `bare-ws`: the framework alone, as an upper bound. */
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
