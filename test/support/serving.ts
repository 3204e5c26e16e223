/** Servers and sockets of one test, which are ended with the test. */
import { onTestFinished } from "vitest";
import { type ConnectOptions, GymSocket } from "./gym-socket.js";
import { type GymOptions, type RunningServer, scratchDir, startGym } from "./server-process.js";

export function scratch(): string {
  const { path, remove } = scratchDir();
  onTestFinished(remove);
  return path;
}

/** Starts a gym, with an empty log unless `dataDir` is given. */
export async function serve(options: Partial<GymOptions> = {}): Promise<RunningServer> {
  const server = await startGym({ dataDir: options.dataDir ?? scratch(), showErrors: true, ...options });
  onTestFinished(async () => {
    await server.process.kill();
  });
  return server;
}

export async function connect(url: string, options: ConnectOptions = {}): Promise<GymSocket> {
  const socket = await GymSocket.connect(url, options);
  onTestFinished(() => socket.terminate());
  return socket;
}
