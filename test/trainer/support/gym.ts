/** A real gym that the trainer calls over the network. */
import { onTestFinished } from "vitest";
import { PalestraClient } from "#palestra/trainer/gym/gym-client.js";
import type { GymSocketOptions } from "#palestra/trainer/gym/gym-socket.js";
import { openGym, type TestGym } from "../../support/gym.js";

export interface ListeningGym {
  url: string;
  gym: TestGym;
}

/** Starts a gym in this process on a free port, whose expert any caller may use. */
export async function listen(settings: Record<string, unknown> = {}): Promise<ListeningGym> {
  const gym = await openGym({ localExpert: true, ...settings });
  return { gym, url: await gym.app.listen({ port: 0, host: "127.0.0.1" }) };
}

export async function connect(url: string, options: GymSocketOptions = {}): Promise<PalestraClient> {
  const client = await PalestraClient.connect(url, options);
  onTestFinished(() => client.close());
  return client;
}
