/** The gym that a run plays in: the one at an address, an AgentGym server, or one of its own. */
import { AgentgymClient } from "../agentgym-client.js";
import { type GymClient, GymError } from "../gym.js";
import { PalestraClient } from "../gym-client.js";
import { GymProcess } from "./gym-process.js";

export const defaultGym = "http://127.0.0.1:8700";

export interface GymChoice {
  /** A URL; `spawn` for one of its own; by default whatever is at the default address, else one of its own. */
  readonly gym?: string | undefined;
  /** URL of an AgentGym server. */
  readonly agentgym?: string | undefined;
}

export interface OpenGym {
  readonly client: GymClient;
  /** Closes the client, and the gym if it was started here. */
  close(): Promise<void>;
}

/** @throws {GymError} */
export async function openGym({ gym, agentgym }: GymChoice, say: (line: string) => void): Promise<OpenGym> {
  if (agentgym !== undefined) return opened(new AgentgymClient(agentgym));
  if (gym === "spawn") return spawned(say);
  try {
    return opened(await connect(gym ?? defaultGym));
  } catch (error) {
    const nobodyThere = error instanceof GymError && error.code === "GYM_UNREACHABLE";
    if (gym !== undefined || !nobodyThere || !process.env.GYM_PROGRAM) throw error;
    say(`no gym at ${defaultGym}: one is started for this run`);
    return spawned(say);
  }
}

function opened(client: GymClient): OpenGym {
  return { client, close: () => client.close() };
}

async function spawned(say: (line: string) => void): Promise<OpenGym> {
  const program = process.env.GYM_PROGRAM;
  if (!program) {
    const message =
      "expected to be started as `palestra eval`, which knows how to start a gym, but received no GYM_PROGRAM";
    throw new GymError("GYM_UNREACHABLE", "action", message);
  }
  const own = await GymProcess.start(program, say);
  try {
    const client = await connect(own.url);
    const close = async () => {
      await client.close();
      await own.stop();
    };
    return { client, close };
  } catch (error) {
    await own.stop();
    throw error;
  }
}

/** The token comes from the environment, so that no command line has it. */
function connect(url: string): Promise<PalestraClient> {
  return PalestraClient.connect(url, { token: process.env.GYM_TOKEN });
}
