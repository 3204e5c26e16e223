/** Ways in which a customer wants to be paid. */
import type { Slot } from "./case.js";
import { type Source, slotOf } from "./plot.js";
import { worded } from "./wordings.js";
import type { World } from "./world.js";

export type MethodKind = "card" | "gift" | "voucher";

/** Phrases of the customer and of agents for each kind. */
const names: Readonly<Record<MethodKind, readonly string[]>> = {
  card: [
    "card",
    "your card",
    "the card",
    "credit card",
    "bank card",
    "debit card",
    "original payment method",
    "original method",
  ],
  gift: ["gift card", "giftcard"],
  voucher: ["voucher", "a voucher", "travel voucher"],
};

export interface Method {
  slot: Slot;
  /** Sentences of the first message, if it tells the method. */
  told: readonly string[];
}

/**
 * Draws a method. One that the `records` tell is in a note, or in earlier refunds.
 *
 * @param remember adds records with earlier refunds to a method
 */
export function methodSlot(
  world: World,
  known: Source,
  kinds: readonly MethodKind[],
  remember?: (world: World, method: string) => void,
): Method {
  const { draw, customer } = world;
  const kind = draw.one(kinds);
  const name = names[kind][0] as string;
  const value = idOf(world, kind);
  if (known === "records") {
    if (remember && draw.happens(1 / 2)) remember(world, value);
    else customer.notes.push(worded(draw, "noteMethod", { method: name }));
  }
  const others = kinds.filter((each) => each !== kind);
  const answer = worded(draw, ({ card: "methodCard", gift: "methodGift", voucher: "methodVoucher" } as const)[kind]);
  const slot = slotOf(known, value, answer, {
    is: [value, ...(kind === "card" ? names.card.slice(1) : names[kind])],
    not: others.flatMap((each) => [idOf(world, each), ...(each === "card" ? names.card.slice(1) : names[each])]),
    choices: kinds.map((each) => idOf(world, each)),
  });
  return {
    slot,
    told: known === "told" ? [worded(draw, kind === "voucher" ? "withVoucher" : "withMethod", { method: name })] : [],
  };
}

function idOf({ customer }: World, kind: MethodKind): string {
  return kind === "voucher" ? "voucher" : (customer.methods.find((id) => id.startsWith(kind)) as string);
}
