/** Server-sent events of another gym of the fleet. */
import type { Caller } from "../../../episodes/gym.js";
import { errorIn } from "../../../fleet/peer-errors.js";
import { textOf } from "../../../fleet/peers.js";
import type { Relay } from "../../../fleet/relay.js";
import type { FleetMember } from "../../../log/records/protocol.js";
import type { EventStream } from "./event-stream.js";

export interface RemoteEvent {
  /** Name of the event. Empty for a comment. */
  name: string;
  data: string;
  /** The event as it was sent. */
  text: string;
}

export interface Following {
  caller: Caller;
  /** Key of the episode that is followed, or any key. */
  key: number;
  path: string;
  signal: AbortSignal;
}

/** Follows a stream of another gym. Resolves when it begins. @throws {PeerLost} @throws {GymError} */
export async function follow(
  relay: Relay,
  gym: FleetMember,
  { caller, key, path, signal }: Following,
): Promise<AsyncIterable<RemoteEvent>> {
  const request = { method: "GET", path, headers: { accept: "text/event-stream" }, body: null, signal };
  const reply = await relay.send(gym, { caller, key }, request);
  if (reply.statusCode === 200) return eventsIn(reply.body);
  throw errorIn(await textOf(reply));
}

/** Sends the events of another gym to a stream, as fast as its client reads. The client connects again at their end. */
export async function sendRemote(events: AsyncIterable<RemoteEvent>, stream: EventStream): Promise<void> {
  try {
    for await (const { name, text } of events) {
      if (name !== "") stream.send(Buffer.from(text));
      await stream.room();
      if (!stream.isOpen) return;
    }
  } catch {
    // The other gym has ended, or the client has gone.
  }
  stream.end();
}

async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<RemoteEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of body) {
    const texts = (rest + decoder.decode(piece, { stream: true })).split("\n\n");
    rest = texts.pop() as string;
    for (const text of texts) yield eventOf(text);
  }
}

function eventOf(text: string): RemoteEvent {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1] ?? "";
  return { name: field("event"), data: field("data"), text: `${text}\n\n` };
}
