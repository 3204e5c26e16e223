/** The gym that a run plays in: the one at an address, an AgentGym server, or one of its own. */
import { AgentgymClient } from "../gym/agentgym-client.js";
import { type GymClient, GymError } from "../gym/gym.js";
import { PalestraClient } from "../gym/gym-client.js";
import { GymProcess } from "./gym-process.js";
import { localGym } from "./local-gym.js";

export const defaultGym = "http://127.0.0.1:8700";

export interface GymChoice {
  /** A URL; `spawn` for one of its own; by default whatever is at the default address, else one of its own. */
  readonly gym?: string | undefined;
  /** URL of an AgentGym server. */
  readonly agentgym?: string | undefined;
}

/** Rights that the run needs in the gym. */
export interface GymNeeds {
  /** The expert's actions, for which a gym wants a right. */
  readonly expert: boolean;
}

export interface OpenGym {
  readonly client: GymClient;
  /** Closes the client, and the gym if it was started here. */
  close(): Promise<void>;
}

/**
 * @param say hears of a gym that is started for the run, and of its deaths
 * @throws {GymError} GYM_UNREACHABLE, GYM_REFUSED; RIGHT_MISSING where the gym that was named does not give the right
 * that the run needs
 */
export async function openGym(choice: GymChoice, needs: GymNeeds, say: (line: string) => void): Promise<OpenGym> {
  const { gym, agentgym } = choice;
  if (agentgym !== undefined) return opened(new AgentgymClient(agentgym));
  if (gym === "spawn") return spawned(say);
  try {
    return opened(await fitting(gym ?? defaultGym, needs));
  } catch (error) {
    const reason = gym === undefined && process.env.GYM_PROGRAM ? reasonToSpawn(error) : undefined;
    if (reason === undefined) throw error;
    say(`${reason}: one is started for this run`);
    return spawned(say);
  }
}

/** Why the gym at the default address, which nobody named, is not played in; undefined where the error is the user's to mend. */
function reasonToSpawn(error: unknown): string | undefined {
  if (!(error instanceof GymError)) return undefined;
  if (error.code === "GYM_UNREACHABLE") return `no gym at ${defaultGym}`;
  // A token that does not do is a mistake, and no reason to play elsewhere.
  if (tokenOfCaller()) return undefined;
  if (error.code === "RIGHT_MISSING") return `the gym at ${defaultGym} is another user's or of another data directory`;
  return error.details.status === 401 ? `the gym at ${defaultGym} wants a token` : undefined;
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
    const client = await connectAsOwner(own.url, own.dataDir);
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

/** @throws {GymError} RIGHT_MISSING beside what `connect` throws */
async function fitting(url: string, needs: GymNeeds): Promise<PalestraClient> {
  const client = await connect(url);
  try {
    if (needs.expert && !(await client.mayAskExpert())) throw rightMissing(url);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/**
 * A client of the gym at an address. The token comes from the environment, so that no command line has it, or else from the gym's
 * own data directory.
 *
 * @throws {GymError} GYM_UNREACHABLE or GYM_REFUSED
 */
export async function connect(url: string): Promise<PalestraClient> {
  const token = tokenOfCaller();
  if (token) return PalestraClient.connect(url, { token });
  try {
    return await connectAsOwner(url, process.env.GYM_DATA_DIR);
  } catch (error) {
    const isStale = error instanceof GymError && error.details.status === 401;
    if (!isStale) throw error;
    // The file was left behind by a gym that was killed, and another gym listens there now.
    return PalestraClient.connect(url);
  }
}

/** As the gym's own user, where the gym keeps its data there; otherwise without a token. */
function connectAsOwner(url: string, dataDir: string | undefined): Promise<PalestraClient> {
  const local = localGym(dataDir, url);
  return PalestraClient.connect(local?.url ?? url, { token: () => localGym(dataDir, url)?.token });
}

function tokenOfCaller(): string | undefined {
  return process.env.GYM_TOKEN || undefined;
}

function rightMissing(url: string): GymError {
  const received = tokenOfCaller() ? "GYM_TOKEN without it" : "no token";
  const message =
    `expected a token with the right \`expert\` for the gym at ${url}, but received ${received}. Create one on the ` +
    "gym's machine with `palestra token create --name <name> --expert` and set GYM_TOKEN to it, name the directory of a " +
    "gym of yours with `palestra --data-dir <path>`, or let a gym be started for the run with `--gym spawn`.";
  return new GymError("RIGHT_MISSING", "action", message);
}
