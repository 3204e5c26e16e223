/** Items of a response's output, and their ids, by which a later request can refer to them. */
import type { Message } from "../message.js";
import type { History, Reply } from "../protocol.js";
import type { TokenLogprob } from "../token-logprobs.js";

export const idPrefix = "resp_";

type Status = "in_progress" | "completed" | "incomplete";

export function messageItem(response: string, status: Status, content: readonly object[]) {
  return { id: `msg_${uuidOf(response)}`, type: "message", role: "assistant", status, content };
}

export function textPart(text: string, logprobs: readonly TokenLogprob[]) {
  return { type: "output_text", text, annotations: [], logprobs };
}

/** @param at number of the call within the reply */
export function callItem(response: string, at: number, call: Reply["calls"][number], status: Status) {
  const { id, name, arguments: values } = call;
  return {
    ...{ id: `fc_${uuidOf(response)}_${at}`, type: "function_call", status },
    ...{ call_id: id, name, arguments: status === "in_progress" ? "" : values },
  };
}

/** Returns whether a reply has a message item: an empty reply has one, unless it has calls. */
export function hasMessage({ content, calls }: Pick<Reply, "content" | "calls">): boolean {
  return content !== "" || calls.length === 0;
}

/** Finds the item with an id in the replies of the rollout. @returns the item as a message; undefined if there is none */
export function itemOf(id: string, history: History): (Message & { readonly role: "assistant" }) | undefined {
  const [, kind, uuid, at] = /^(msg|fc)_([\w-]{36})(?:_(\d+))?$/.exec(id) ?? [];
  const reply = history.messagesOf(`${idPrefix}${uuid}`)?.at(-1);
  if (reply?.role !== "assistant") return undefined;
  if (kind === "msg") return hasMessage(reply) ? { ...reply, calls: [] } : undefined;
  const call = reply.calls[Number(at)];
  return call && { role: "assistant", content: "", calls: [call] };
}

function uuidOf(response: string): string {
  return response.slice(idPrefix.length);
}
