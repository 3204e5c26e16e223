/** Opens the gym of a run: a gym at an address, an AgentGym server, or a gym that the run starts. */
import { AgentgymClient } from "./agentgym-client.js";
import { type GymClient, GymError } from "./gym.js";
import { PalestraClient } from "./gym-client.js";
import { GymProcess, type GymProgram } from "./gym-process.js";
import { localGym } from "./local-gym.js";

export const defaultGym = "http://127.0.0.1:8700";

export interface GymChoice {
  /** URL, or `spawn` to start a gym. Default: the gym at the default address if one listens there, else `spawn`. */
  readonly gym?: string | undefined;
  /** URL of an AgentGym server. */
  readonly agentgym?: string | undefined;
}

/** What this machine has for the gyms of a run. */
export interface GymPlace {
  /** Data directory of a gym of this user, with the token of its user. */
  readonly dataDir?: string | undefined;
  /** Program that serves a gym. Without one, no gym can be started. */
  readonly program?: GymProgram | undefined;
}

/** Rights that the run needs in the gym. */
export interface GymNeeds {
  /** Whether the run requests the expert's actions, which require the right `expert`. */
  readonly expert: boolean;
}

export interface OpenGym {
  readonly client: GymClient;
  /** Closes the client, and the gym if the run started it. */
  close(): Promise<void>;
}

/**
 * Opens the gym of a run.
 *
 * @param say receives a line when a gym is started, and each time it dies
 * @throws {GymError} GYM_UNREACHABLE, GYM_REFUSED; RIGHT_MISSING: the gym does not grant a right that the run needs
 */
export async function openGym(
  { gym, agentgym }: GymChoice,
  { dataDir, program }: GymPlace,
  needs: GymNeeds,
  say: (line: string) => void,
): Promise<OpenGym> {
  if (agentgym !== undefined) return opened(new AgentgymClient(agentgym));
  if (gym === "spawn") return spawned(program, say);
  try {
    return opened(await fitting(gym ?? defaultGym, needs, dataDir));
  } catch (error) {
    const reason = gym === undefined && program ? reasonToSpawn(error) : undefined;
    if (reason === undefined) throw error;
    say(`${reason}: a gym is started for this run`);
    return spawned(program, say);
  }
}

/**
 * Explains why a new gym is started and the gym at the default address is not used; undefined if the user has to fix
 * the error.
 */
function reasonToSpawn(error: unknown): string | undefined {
  if (!(error instanceof GymError)) return undefined;
  if (error.code === "GYM_UNREACHABLE") return `no gym at ${defaultGym}`;
  // A token without the right is a mistake of the user, not a reason to start another gym.
  if (tokenOfCaller()) return undefined;
  if (error.code === "RIGHT_MISSING")
    return `the gym at ${defaultGym} belongs to another user or another data directory`;
  return error.details.status === 401 ? `the gym at ${defaultGym} requires a token` : undefined;
}

function opened(client: GymClient): OpenGym {
  return { client, close: () => client.close() };
}

async function spawned(program: GymProgram | undefined, say: (line: string) => void): Promise<OpenGym> {
  if (!program) {
    throw new GymError(
      "GYM_UNREACHABLE",
      "action",
      "expected the URL of a gym, since there is no program to start one",
    );
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

/** Connects to a gym and checks its rights. @throws {GymError} RIGHT_MISSING, and errors of `connect` */
async function fitting(url: string, needs: GymNeeds, dataDir: string | undefined): Promise<PalestraClient> {
  const client = await connect(url, dataDir);
  try {
    if (needs.expert && !(await client.mayAskExpert())) throw rightMissing(url);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/**
 * Connects to the gym at an address. The token comes from the environment variable GYM_TOKEN, so that no command line
 * contains it, or from the gym's data directory.
 *
 * @throws {GymError} GYM_UNREACHABLE or GYM_REFUSED
 */
export async function connect(url: string, dataDir: string | undefined): Promise<PalestraClient> {
  const token = tokenOfCaller();
  if (token) return PalestraClient.connect(url, { token });
  try {
    return await connectAsOwner(url, dataDir);
  } catch (error) {
    const isStale = error instanceof GymError && error.details.status === 401;
    if (!isStale) throw error;
    // The token file belongs to a gym that was killed, and another gym listens at the address now.
    return PalestraClient.connect(url);
  }
}

/** Connects with the token of the data directory if the gym belongs to the user; otherwise without a token. */
function connectAsOwner(url: string, dataDir: string | undefined): Promise<PalestraClient> {
  const local = localGym(dataDir, url);
  return PalestraClient.connect(local?.url ?? url, { token: () => localGym(dataDir, url)?.token });
}

/**
 * Calls a route of a gym over HTTP, with the same token as `connect`.
 *
 * @throws {GymError} GYM_UNREACHABLE, or the error of the reply
 */
export async function callGym(
  url: string,
  dataDir: string | undefined,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const local = localGym(dataDir, url);
  const own = tokenOfCaller();
  const reply = await called(own ? url : (local?.url ?? url), path, init, own ?? local?.token);
  // The token file may belong to a gym that was killed, while another gym listens at the address now.
  const isStale = reply.status === 401 && own === undefined && local !== undefined;
  const answer = isStale ? await called(url, path, init, undefined) : reply;
  if (answer.ok) return answer;
  const { error } = (await answer.json().catch(() => ({}))) as { error?: GymError };
  if (error) throw new GymError(error.code, error.class, error.message, error.details);
  throw new GymError("GYM_REFUSED", "action", `expected a gym at ${url}, but received status ${answer.status}`);
}

async function called(url: string, path: string, init: RequestInit, token: string | undefined): Promise<Response> {
  const headers = { ...(init.headers as object), ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  try {
    return await fetch(`${url.replace(/\/$/, "")}/${path}`, { ...init, headers });
  } catch (error) {
    const reason = (error as Error).cause ?? error;
    throw new GymError("GYM_UNREACHABLE", "infrastructure", `No gym answers at ${url}: ${(reason as Error).message}`);
  }
}

function tokenOfCaller(): string | undefined {
  return process.env.GYM_TOKEN || undefined;
}

function rightMissing(url: string): GymError {
  const received = tokenOfCaller() ? "a GYM_TOKEN without this right" : "no token";
  const message =
    `expected a token with the right \`expert\` for the gym at ${url}, but received ${received}. Create a token on the ` +
    "gym's machine with `palestra token create --name <name> --expert` and set GYM_TOKEN to it, name the data directory of a " +
    "gym of yours with `palestra --data-dir <path>`, or let a gym be started for the run with `--gym spawn`.";
  return new GymError("RIGHT_MISSING", "action", message);
}
