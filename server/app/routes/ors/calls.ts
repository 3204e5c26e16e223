/**
 * Calls of tools. Each call is one step, and its id names the session and the index of the step. The client gets the id
 * before the step is taken. A client that resumes a call with its id gets the stored reply if the step was taken, and
 * otherwise takes the step, so no call steps twice, not even if the gym was killed in between.
 */
import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { idOf, nameOf, OwnedValues } from "../../../adapter/session-ids.js";
import type { Sessions } from "../../../adapter/sessions.js";
import type { Gym } from "../../../episodes/gym.js";
import { GymError, shown } from "../../../errors.js";
import { CallStream, ClientGone, piecesOf } from "./call-stream.js";
import { rewardModeOf } from "./deployment.js";
import { calledResult, isPassing, refusedResult } from "./results.js";
import type { Call, CallResult } from "./schemas.js";

export interface CallParts {
  gym: Gym;
  /** Tells the log and the metrics about an error, and returns the message for the client. */
  told(error: Error, request: FastifyRequest): string;
}

interface BrokenCall {
  index: number;
  /** Digest of the tool's name and arguments, which may be megabytes long. */
  digest: string;
}

/** Number of broken calls of one owner that are remembered. */
const mostBroken = 1_000;

export class Calls {
  /**
   * The call of each session whose connection broke before its result was sent. The client repeats such a call without
   * an id if the id did not arrive either.
   */
  private readonly broken = new OwnedValues<BrokenCall>(mostBroken);

  constructor(private readonly parts: CallParts) {}

  /** Answers a call. Errors before the first event are thrown. */
  async answer(
    sessions: Sessions,
    session: number,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const call = request.body as z.output<typeof Call>;
    const digest = () => digestOf(call);
    const mode = rewardModeOf(request);
    const resumed = call.task_id ? indexIn(call.task_id, session) : undefined;
    const indexInTurn = () => {
      const broken = this.takeBroken(session, digest);
      return resumed ?? broken;
    };
    const { gym } = this.parts;
    const stream = new CallStream(reply);
    let taken: number | undefined;
    reply.raw.once("close", () => {
      if (taken === undefined || reply.raw.writableFinished) return;
      this.broken.set(request.caller.owner, session, { index: taken, digest: digest() });
    });
    try {
      const move = { name: call.name, arguments: call.input };
      const played = await sessions.act(request.caller.owner, session, move, indexInTurn, async (at) => {
        if (!call.task_id) await stream.send("task_id", `${nameOf(session)}:${at}`);
        // A client that has gone calls again, so this call need not take the step.
        stream.expectOpen();
        taken = at;
      });
      await send(stream, await calledResult(gym, played, taken as number, mode));
    } catch (error) {
      await this.fail(error as Error, { stream, request, isResumed: Boolean(call.task_id) });
    } finally {
      stream.stop();
    }
    return reply;
  }

  /** Forgets what is remembered of a session. */
  forget(session: number): void {
    this.broken.delete(session);
  }

  private async fail(
    error: Error,
    { stream, request, isResumed }: { stream: CallStream; request: FastifyRequest; isResumed: boolean },
  ): Promise<void> {
    if (error instanceof ClientGone) return stream.break();
    const refused = refusedResult(error);
    try {
      if (refused) return await send(stream, refused);
      if (!stream.isBegun) throw error;
      const message = this.parts.told(error, request);
      // The client resumes the call, and a resumed call that fails again gets a status.
      if (isPassing(error) && !isResumed) return stream.break();
      await stream.send("error", JSON.stringify(message));
      stream.end();
    } catch (failure) {
      if (!(failure instanceof ClientGone)) throw failure;
      stream.break();
    }
  }

  private takeBroken(session: number, digest: () => string): number | undefined {
    const broken = this.broken.get(session);
    this.broken.delete(session);
    return broken && broken.digest === digest() ? broken.index : undefined;
  }
}

function digestOf({ name, input }: z.output<typeof Call>): string {
  return createHash("sha256")
    .update(JSON.stringify([name, input]))
    .digest("base64");
}

async function send(stream: CallStream, result: z.input<typeof CallResult>): Promise<void> {
  for (const piece of piecesOf(JSON.stringify(result))) await stream.send("chunk", piece);
  await stream.send("end", "");
  stream.end();
}

/** @throws {GymError} REQUEST_INVALID if the id is not that of a call of this session */
function indexIn(taskId: string, session: number): number {
  const [, name = "", index] = /^(s[0-9a-z]+):([0-9]{1,15})$/.exec(taskId) ?? [];
  if (idOf(name) === session) return Number(index);
  throw new GymError("REQUEST_INVALID", "a task_id of this session", shown(taskId));
}
