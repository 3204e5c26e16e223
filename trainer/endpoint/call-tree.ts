/**
 * The calls of a rollout as a tree. If the messages of a call begin with an earlier call's messages and reply, the call
 * is a child of that call and keeps its tokens; any other call is a root. Each path from a root to a leaf is a row, so
 * calls that continue each other share a row. A call is trained in the first row that contains it.
 */

import type { SequenceResult } from "../../native/api/index.js";
import { textHash } from "../../server/formats/text-hash.js";
import { type Message, messageKey } from "./protocol/message.js";

/** Reason why a call is not learned from. */
export type DropReason = "superseded" | "aborted" | "failed" | "unfinished" | "context_exceeded" | "unrewarded";

export interface Call {
  /** Id of the reply. */
  readonly id: string;
  /** Id of the first choice of the same request. */
  readonly batch: string;
  /** Seat whose agent made the call, if the rollout has seats. Calls of different seats never continue each other. */
  readonly seat: string | undefined;
  /** Number of the call within its rollout, in the order of arrival. */
  readonly order: number;
  readonly parent: Call | undefined;
  /** Earlier call whose messages and reply are the first messages of this call. */
  readonly follows: Call | undefined;
  /** Messages of the request after those of `follows`. */
  readonly said: readonly Message[];
  /** Number of leading messages that a call which continues from this one by its id does not inherit. */
  readonly instructions: number;
  /** Hash of the whole request; equal for a retry. */
  readonly asked: string;
  /** Number of messages in the request, greater than in each call that it continues. */
  readonly messages: number;
  /** Hash of the new messages. */
  readonly observationHash: string;
  /** `[tokens]` between the parent's reply, or the start of the conversation, and the call's own reply. */
  readonly given: Int32Array;
  /** Number of tokens before `given`. */
  readonly kept: number;
  state: "running" | "done" | "aborted" | "failed" | "unfinished";
  /** Sampled reply, once the call is done. */
  sampled: SequenceResult | undefined;
  /** Text of the reply. */
  text: string;
  /** The reply as a message, once the call is done. */
  reply: Message | undefined;
  reward: number;
  isRewarded: boolean;
}

/** A request, as hashes of its messages. */
export interface Asked {
  /** `chain[n]` is the hash of the tools and the first n messages. */
  readonly chain: readonly string[];
}

export function askedOf(tools: string, keys: readonly string[], seat?: string): Asked {
  const chain = [textHash(seat === undefined ? tools : `${seat}:${tools}`)];
  for (const key of keys) chain.push(textHash(`${chain.at(-1)}${key}`));
  return { chain };
}

export class CallTree {
  readonly calls: Call[] = [];
  /** Finished calls, by the hash of their messages and their reply. */
  private readonly byPath = new Map<string, Call[]>();

  /** Finds the call that a request continues, and the number of messages that both have in common. */
  parentOf({ chain }: Asked): { parent: Call; messages: number } | undefined {
    for (let messages = chain.length - 2; messages > 0; messages--) {
      // After a retry, equal calls exist, and the client has only the reply of the last call.
      const parent = this.byPath.get(chain[messages] as string)?.at(-1);
      if (parent) return { parent, messages };
    }
    return undefined;
  }

  /** Finds the longest call whose tokens are a prefix of `tokens`. */
  parentByTokens(tokens: Int32Array, messages: number, seat: string | undefined): Call | undefined {
    let longest: Call | undefined;
    for (const call of this.calls) {
      const length = lengthOf(call);
      if (
        call.seat !== seat ||
        call.state !== "done" ||
        call.messages >= messages ||
        length >= tokens.length ||
        (longest && length <= lengthOf(longest))
      )
        continue;
      if (pathOf(call).every((part) => startsAt(tokens, part))) longest = call;
    }
    return longest;
  }

  add(call: Call): void {
    this.calls.push(call);
  }

  /** Records the reply of a call. @param reply message that the client will send back for the reply */
  finish(call: Call, sampled: SequenceResult, text: string, reply: Message): void {
    Object.assign(call, { state: "done", sampled, text, reply });
    const path = textHash(`${call.asked}${messageKey(reply)}`);
    const equals = this.byPath.get(path);
    if (equals) equals.push(call);
    else this.byPath.set(path, [call]);
  }

  /**
   * Returns the messages of a finished call without its instructions, and its reply; undefined if no finished call has the
   * id.
   */
  messagesOf(id: string): Message[] | undefined {
    const call = this.calls.find((each) => each.id === id && each.state === "done");
    if (!call) return undefined;
    const all: Message[] = [];
    for (let each: Call | undefined = call; each; each = each.follows) all.unshift(...each.said, each.reply as Message);
    return all.slice(call.instructions);
  }

  /**
   * Returns the paths from roots to leaves over the calls to learn from, and the number of dropped calls by reason. Of
   * several equal requests, those with a continued or rewarded call are kept; if there are none, the last request is kept,
   * since it was a retry. All choices of a kept request are kept: the agent saw all of them, so the outcome depends on
   * each.
   */
  paths(): { paths: Call[][]; dropped: Map<DropReason, number> } {
    const dropped = new Map<DropReason, number>();
    const drop = (reason: DropReason) => dropped.set(reason, (dropped.get(reason) ?? 0) + 1);
    const counted = new Set<Call>();
    const continued = new Set<Call>();
    for (const { state } of this.calls) if (state !== "done") drop(state === "running" ? "unfinished" : state);
    for (const equals of this.equals()) {
      const useful = new Set(equals.filter((call) => continued.has(call) || call.isRewarded).map(({ batch }) => batch));
      if (useful.size === 0) useful.add((equals.at(-1) as Call).batch);
      const kept = equals.filter(({ batch }) => useful.has(batch));
      for (const call of kept) {
        counted.add(call);
        if (call.parent) continued.add(call.parent);
      }
      for (let at = kept.length; at < equals.length; at++) drop("superseded");
    }
    const leaves = this.calls.filter((call) => counted.has(call) && !continued.has(call));
    return { paths: leaves.map(lineOf), dropped };
  }

  /** Returns the finished calls, grouped by equal requests; children come before their parents. */
  private equals(): Call[][] {
    const equals = new Map<string, Call[]>();
    for (const call of this.calls) {
      if (call.state !== "done") continue;
      const group = equals.get(call.asked);
      if (group) group.push(call);
      else equals.set(call.asked, [call]);
    }
    return [...equals.values()].sort(([one], [other]) => (other?.messages ?? 0) - (one?.messages ?? 0));
  }
}

/** Returns the calls from the root to a call. */
export function lineOf(call: Call): Call[] {
  const line: Call[] = [];
  for (let each: Call | undefined = call; each; each = each.parent) line.unshift(each);
  return line;
}

/** Returns the number of tokens up to the end of a call's reply. */
export function lengthOf({ kept, given, sampled }: Call): number {
  return kept + given.length + (sampled?.tokens.length ?? 0);
}

/** Returns the tokens up to the end of a call's reply. */
export function tokensOf(call: Call): Int32Array {
  const tokens = new Int32Array(lengthOf(call));
  for (const { at, tokens: part } of pathOf(call)) tokens.set(part, at);
  return tokens;
}

interface Part {
  readonly at: number;
  readonly tokens: Int32Array;
}

function pathOf(call: Call): Part[] {
  return lineOf(call).flatMap(({ kept, given, sampled }) => [
    { at: kept, tokens: given },
    { at: kept + given.length, tokens: sampled?.tokens ?? new Int32Array() },
  ]);
}

function startsAt(tokens: Int32Array, { at, tokens: part }: Part): boolean {
  return part.every((token, index) => tokens[at + index] === token);
}
