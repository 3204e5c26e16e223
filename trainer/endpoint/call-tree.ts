/**
 * The calls of a rollout as a tree. A call whose messages begin with those of an earlier one, its reply included, is that
 * one's child and keeps its tokens as they were sampled; any other is a root. From it come the rows to learn from: each
 * path from a root to a leaf, so that calls that continue each other are one row, and a call is trained in the first row
 * that it lies on.
 */

import type { SequenceResult } from "../../native/api/index.js";
import { textHash } from "../text-hash.js";

/** Why calls are not learnt from. */
export type DropReason = "superseded" | "aborted" | "failed" | "unfinished" | "context_exceeded" | "unrewarded";

export interface Call {
  /** Of the completion. */
  readonly id: string;
  /** Counts the rollout's calls in the order in which they came. */
  readonly order: number;
  readonly parent: Call | undefined;
  /** Hash of all that it was asked: equal for a retry. */
  readonly asked: string;
  /** How many messages that was: more than any call that it goes on from was asked. */
  readonly messages: number;
  /** Hash of what is new in it. */
  readonly observationHash: string;
  /** (tokens) that stand between the parent's reply, or the beginning, and its own. */
  readonly given: Int32Array;
  /** Tokens before `given`. */
  readonly kept: number;
  state: "running" | "done" | "aborted" | "failed" | "unfinished";
  /** Once it is done. */
  sampled: SequenceResult | undefined;
  /** What was made of the reply. */
  text: string;
  reward: number;
  isRewarded: boolean;
}

/** A request by its messages' keys. */
export interface Asked {
  /** `chain[n]` is the hash of the tools and the first n messages. */
  readonly chain: readonly string[];
}

export function askedOf(tools: string, keys: readonly string[]): Asked {
  const chain = [textHash(tools)];
  for (const key of keys) chain.push(textHash(`${chain.at(-1)}${key}`));
  return { chain };
}

export class CallTree {
  readonly calls: Call[] = [];
  /** Calls that are done, by the hash of their messages and their reply. */
  private readonly byPath = new Map<string, Call[]>();

  /** The call that a request goes on from, and how many of its messages that call has seen or said. */
  parentOf({ chain }: Asked): { parent: Call; messages: number } | undefined {
    for (let messages = chain.length - 2; messages > 0; messages--) {
      // Of equal ones, as after a retry, it is the last that the client knows of.
      const parent = this.byPath.get(chain[messages] as string)?.at(-1);
      if (parent) return { parent, messages };
    }
    return undefined;
  }

  /** The longest call whose tokens are the first of these, by exact comparison. */
  parentByTokens(tokens: Int32Array, messages: number): Call | undefined {
    let longest: Call | undefined;
    for (const call of this.calls) {
      const length = lengthOf(call);
      if (
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

  /** @param replyKey of the message that the client has for the reply */
  finish(call: Call, sampled: SequenceResult, text: string, replyKey: string): void {
    Object.assign(call, { state: "done", sampled, text });
    const path = textHash(`${call.asked}${replyKey}`);
    const equals = this.byPath.get(path);
    if (equals) equals.push(call);
    else this.byPath.set(path, [call]);
  }

  /**
   * Paths from roots to leaves over the calls that count, and why the others do not. Of calls that were asked the same,
   * those count that were gone on from or rewarded; where none was, only the last does, for the client tried again.
   */
  paths(): { paths: Call[][]; dropped: Map<DropReason, number> } {
    const dropped = new Map<DropReason, number>();
    const drop = (reason: DropReason) => dropped.set(reason, (dropped.get(reason) ?? 0) + 1);
    const counted = new Set<Call>();
    const continued = new Set<Call>();
    for (const { state } of this.calls) if (state !== "done") drop(state === "running" ? "unfinished" : state);
    for (const equals of this.equals()) {
      const useful = equals.filter((call) => continued.has(call) || call.isRewarded);
      const kept = useful.length > 0 ? useful : equals.slice(-1);
      for (const call of kept) {
        counted.add(call);
        if (call.parent) continued.add(call.parent);
      }
      for (let at = kept.length; at < equals.length; at++) drop("superseded");
    }
    const leaves = this.calls.filter((call) => counted.has(call) && !continued.has(call));
    return { paths: leaves.map(lineOf), dropped };
  }

  /** Calls that are done, together where they were asked the same; children come before their parents. */
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

/** From the root to the call. */
export function lineOf(call: Call): Call[] {
  const line: Call[] = [];
  for (let each: Call | undefined = call; each; each = each.parent) line.unshift(each);
  return line;
}

/** Tokens up to the end of its reply. */
export function lengthOf({ kept, given, sampled }: Call): number {
  return kept + given.length + (sampled?.tokens.length ?? 0);
}

/** All tokens up to the end of its reply. */
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
