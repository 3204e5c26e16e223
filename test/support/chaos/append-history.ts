/**
 * History of the calls of many clients to one append-only list, such as the steps of an episode, and the check that the
 * history is linearizable: each call took effect at one moment between its start and its reply.
 *
 * For this object the check takes linear time. All clients must agree on the entry at an index. The only unknown is the
 * moment of each append. Each call bounds these moments. Moments in the order of the list exist if no lower bound is
 * after the upper bound of the same or a later entry.
 */

export interface Entry {
  action: string;
  reply: string;
}

/** A call, from its start to its reply, in milliseconds of one clock. */
export type Call = { client: string; from: number; to: number } & (
  | {
      /** Appends at an index, or returns the reply of the same action at this index. A null reply: no reply came. */
      kind: "append";
      index: number;
      action: string;
      reply: string | null;
    }
  /** The append is refused because the list has another action at the index. */
  | { kind: "conflict"; index: number; action: string }
  | { kind: "read"; entries: readonly Entry[] }
  | { kind: "count"; count: number }
);

interface Bound {
  at: number;
  call: string;
}

/** Bounds on the moment at which an entry was appended. */
interface Moment {
  /** The first call that may have appended the entry started at this time. */
  sent: Bound | null;
  /** The list did not have the entry at this time. */
  absent: Bound;
  present: Bound;
}

const always: Bound = { at: Number.NEGATIVE_INFINITY, call: "" };
const never: Bound = { at: Number.POSITIVE_INFINITY, call: "the end" };

/**
 * Returns the first contradiction in a history, or null if the history is linearizable.
 *
 * @param last entries that the list has after all calls have ended
 */
export function contradictionIn(calls: readonly Call[], last: readonly Entry[]): string | null {
  const moments = last.map((): Moment => ({ sent: null, absent: always, present: never }));
  for (const call of calls) {
    const wrong = disagreement(call, last);
    if (wrong !== null) return `${nameOf(call)}: ${wrong}`;
    bound(call, last, moments);
  }
  return misorder(moments);
}

/** Compares the result of a call with the list. */
function disagreement(call: Call, last: readonly Entry[]): string | null {
  switch (call.kind) {
    case "append":
      return call.reply === null ? null : difference(call.index, call as Entry, last);
    case "conflict": {
      const entry = last[call.index];
      if (!entry) return `the list has no entry ${call.index}`;
      return entry.action === call.action ? `entry ${call.index} has the same action` : null;
    }
    case "read":
      for (const [index, entry] of call.entries.entries()) {
        const found = difference(index, entry, last);
        if (found !== null) return found;
      }
      return null;
    default:
      return call.count > last.length ? `the list has only ${last.length} entries` : null;
  }
}

function difference(index: number, { action, reply }: Entry, last: readonly Entry[]): string | null {
  const entry = last[index];
  if (!entry) return `the list has no entry ${index}`;
  if (entry.action !== action) return `entry ${index} has the action ${JSON.stringify(entry.action)}`;
  return entry.reply === reply ? null : `entry ${index} has the reply ${entry.reply} instead of ${reply}`;
}

function bound(call: Call, last: readonly Entry[], moments: readonly Moment[]): void {
  const [from, to] = [
    { at: call.from, call: nameOf(call) },
    { at: call.to, call: nameOf(call) },
  ];
  const present = (moment: Moment | undefined) => {
    if (moment && to.at < moment.present.at) moment.present = to;
  };
  if (call.kind === "append") {
    const moment = moments[call.index];
    if (!moment || last[call.index]?.action !== call.action) return;
    if (from.at < (moment.sent?.at ?? Number.POSITIVE_INFINITY)) moment.sent = from;
    if (call.reply !== null) present(moment);
  } else if (call.kind === "conflict") {
    present(moments[call.index]);
  } else {
    const count = call.kind === "read" ? call.entries.length : call.count;
    present(moments[count - 1]);
    const next = moments[count];
    if (next && from.at > next.absent.at) next.absent = from;
  }
}

/** Finds an entry that a call has seen before this or an earlier entry can have been appended. */
function misorder(moments: readonly Moment[]): string | null {
  let earliest = always;
  for (const [index, { sent, absent, present }] of moments.entries()) {
    if (!sent) return `entry ${index} was appended, but no client has sent it`;
    for (const each of [sent, absent]) if (each.at > earliest.at) earliest = each;
    if (earliest.at > present.at)
      return `entry ${index} was there for ${present.call}, but not yet for ${earliest.call}`;
  }
  return null;
}

function nameOf({ client, from, to, ...call }: Call): string {
  const times = `from ${from.toFixed(1)} to ${to.toFixed(1)}`;
  switch (call.kind) {
    case "append":
      return `the ${call.reply === null ? "unanswered " : ""}append of ${JSON.stringify(call.action)} at ${call.index} by ${client} ${times}`;
    case "conflict":
      return `the refused append of ${JSON.stringify(call.action)} at ${call.index} by ${client} ${times}`;
    case "read":
      return `the read of ${call.entries.length} entries by ${client} ${times}`;
    default:
      return `the count of ${call.count} entries by ${client} ${times}`;
  }
}
