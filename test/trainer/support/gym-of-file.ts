/** One gym for all tests of a file, with a right to call the experts. */
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { PalestraClient } from "#palestra/trainer/gym/gym-client.js";
import { type RunningServer, scratchDir, startGym } from "../../support/server-process.js";

export interface GymOfFile {
  /** Folder that is removed after the tests. */
  readonly folder: string;
  readonly server: RunningServer;
  readonly gym: PalestraClient;
}

/** Call it at the top of the file. The server and the client exist from `beforeAll` on. */
export function gymOfFile(): GymOfFile {
  const scratch = scratchDir();
  const own = { folder: scratch.path } as { folder: string; server: RunningServer; gym: PalestraClient };
  beforeAll(async () => {
    own.server = await startGym({ dataDir: join(scratch.path, "gym"), env: { PALESTRA_LOCAL_EXPERT: "true" } });
    own.gym = await PalestraClient.connect(own.server.url);
  });
  afterAll(async () => {
    await own.gym?.close();
    await own.server?.process.stop();
    scratch.remove();
  });
  return own;
}
