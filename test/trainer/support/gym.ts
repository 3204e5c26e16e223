/** A real gym for the trainer to meet over the wire. */
import { onTestFinished } from "vitest";
import { PalestraClient } from "#palestra/trainer/gym/gym-client.js";
import type { GymSocketOptions } from "#palestra/trainer/gym/gym-socket.js";
import { openGym, type TestGym } from "../../support/gym.js";

export interface ListeningGym {
  url: string;
  gym: TestGym;
}

/** In this process, on a free port, its expert open to all. */
export async function listen(settings: Record<string, unknown> = {}): Promise<ListeningGym> {
  const gym = await openGym({ localExpert: true, ...settings });
  return { gym, url: await gym.app.listen({ port: 0, host: "127.0.0.1" }) };
}

export async function connect(url: string, options: GymSocketOptions = {}): Promise<PalestraClient> {
  const client = await PalestraClient.connect(url, options);
  onTestFinished(() => client.close());
  return client;
}
