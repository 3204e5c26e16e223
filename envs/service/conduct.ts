/** What the agent has done, as far as the policy and the reward depend on it. */
import type { Case } from "./cases/case.js";
import type { Conversation } from "./user/conversation.js";
import type { Change } from "./world/change.js";
import { kindOf } from "./world/changes.js";
import type { Database } from "./world/database.js";

export type Ending = "end" | "hand over";

export interface Conduct {
  /** Id of the customer whose identity is proven. */
  verified: string | undefined;
  /** Number of wrong postcodes. */
  failures: number;
  /** Ids of the records that the agent has seen. */
  seen: string[];
  changes: Change[];
  /** Breaches of the policy, each as a part of a sentence. */
  breaches: string[];
  /** Whether the agent has written to the customer since the last change. */
  hasReported: boolean;
  ending: Ending | undefined;
}

export function newConduct({ introduction, customer }: Case): Conduct {
  return {
    verified: introduction === "signed in" ? customer : undefined,
    failures: 0,
    seen: [],
    changes: [],
    breaches: [],
    hasReported: false,
    ending: undefined,
  };
}

/** Returns the rules of the policy that a change breaks, each as a part of a sentence. */
export function breachesOf(
  database: Database,
  change: Change,
  { verified }: Conduct,
  { agreed }: Conversation,
): string[] {
  const { kind, args } = change;
  const rules = kindOf(change);
  const breaches: string[] = [];
  const owner = rules.owner(database, args);
  if (verified === undefined) breaches.push(`${kind} before the identity was checked`);
  else if (owner !== verified) breaches.push(`${kind} for the record of another customer`);
  const reason = rules.forbidden(database, args);
  if (reason) return [...breaches, `${kind}, although ${reason}`];
  const price = rules.cost(database, args);
  if (price > 0 && !agreed.includes(price)) breaches.push(`${kind} without a yes to the cost of $${price}`);
  return breaches;
}

/**
 * Whether a message tells private data: an id, address, e-mail or payment method in the customer's records that the customer
 * has not written.
 */
export function tellsPrivate({ database, customer: id }: Case, message: string, said: string): boolean {
  const { addresses, methods, email } = database.customers[id] as Database["customers"][string];
  const rows = [...Object.values(database.orders), ...Object.values(database.bookings)];
  const ids = rows.filter(({ customer }) => customer === id).map((row) => row.id);
  const texts = [
    ...Object.values(addresses).map((address) => address.split(",")[0] as string),
    ...methods,
    ...ids,
    email,
  ];
  const [lower, known] = [message.toLowerCase(), said.toLowerCase()];
  return texts.some((text) => lower.includes(text.toLowerCase()) && !known.includes(text.toLowerCase()));
}
