/**
 * Training data, which the trainer's `palestra export` writes. The gym runs it as a child process, with the caller's own
 * token, so that the formats have one implementation.
 */
import { once } from "node:events";
import { Readable } from "node:stream";
import { startTrainer } from "../commands/trainer.js";
import { GymError } from "../errors.js";
import type { Download } from "./formats.js";
import type { Selection } from "./selection.js";

export interface TrainingRequest extends Selection {
  readonly format: string;
  readonly pairs: string;
}

/** Address of this gym, and the caller's credentials. */
export interface GymAccess {
  readonly url: string;
  /** Token of the caller. Undefined for a caller without a token: the program then reads the gym's local token. */
  readonly token: string | undefined;
  readonly dataDir: string;
}

/** Longest time of an export in milliseconds. */
const mostMs = 15 * 60_000;
/** Number of characters that are kept of the program's messages. */
const mostMessage = 4_000;

type Program = ReturnType<typeof startTrainer>;

/**
 * Starts the export. Resolves with its first rows, so that a program that fails at once is an ordinary error.
 *
 * @param onHangUp calls a function if the client disconnects
 * @throws {GymError} EXPORT_FAILED
 */
export async function trainingData(
  request: TrainingRequest,
  access: GymAccess,
  onHangUp: (listener: () => void) => void,
): Promise<Download> {
  const child = startTrainer(argumentsOf(request, access), environmentOf(access));
  const end = () => void child.kill("SIGKILL");
  const timer = setTimeout(end, mostMs);
  // The program may read many episodes before its first row.
  onHangUp(end);
  try {
    child.stdin.on("error", () => {});
    child.stdin.end(request.episodeIds?.join("\n"));
    const rows = rowsOf(child);
    const first = await rows.next();
    const stream = Readable.from(continued(first, rows), { objectMode: false });
    stream.once("close", () => {
      clearTimeout(timer);
      end();
    });
    return { suffix: `${request.format}.jsonl`, mediaType: "application/jsonl", stream };
  } catch (error) {
    clearTimeout(timer);
    end();
    throw error;
  }
}

function argumentsOf({ format, pairs, episodeIds, environment, split, limit }: TrainingRequest, { url }: GymAccess) {
  return [
    ...["export", "--gym", url, "--format", format, "--limit", `${limit}`],
    ...(format === "preferences" ? ["--pairs", pairs] : []),
    ...(episodeIds ? ["--episodes", "-"] : []),
    ...(environment === undefined ? [] : [`--environment=${environment}`]),
    ...(split === undefined ? [] : [`--split=${split}`]),
  ];
}

function environmentOf({ token, dataDir }: GymAccess): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  const credentials = token === undefined ? { GYM_DATA_DIR: dataDir } : { GYM_TOKEN: token };
  return { ...{ PATH, HOME, TMPDIR }, ...credentials };
}

/** Yields the program's output, and throws if the program fails. */
async function* rowsOf(child: Program): AsyncGenerator<Buffer> {
  let message = "";
  child.stderr.on("data", (chunk) => {
    message = `${message}${chunk}`.slice(-mostMessage);
  });
  const exited = once(child, "close");
  // The error is thrown below, after the output has been read.
  exited.catch(() => {});
  yield* child.stdout as AsyncIterable<Buffer>;
  const [code, signal] = await exited.catch((error) => [String(error)]);
  if (code !== 0) throw new GymError("EXPORT_FAILED", "training data", message.trim() || `the end ${code ?? signal}`);
}

async function* continued(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
