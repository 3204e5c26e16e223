/** Servers and sockets of one test: whatever it started is ended with it, however it went. */
import { onTestFinished } from "vitest";
import { type ConnectOptions, GymSocket } from "./gym-socket.js";
import { type GymOptions, type RunningServer, scratchDir, startGym } from "./server-process.js";

export function scratch(): string {
  const { path, remove } = scratchDir();
  onTestFinished(remove);
  return path;
}

/** A running gym, with an empty log unless a `dataDir` is given. */
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
