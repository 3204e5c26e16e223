/** The domain `refunds`: returns and exchanges of delivered goods. */
import type { Draw } from "../../shared/rng/draw.js";
import { lastDayOf, returnFee, windows } from "../world/return-changes.js";
import type { Case, Slot, Wish } from "./case.js";
import { methodSlot } from "./methods.js";
import { caseWith, drawSource, type Plot, plain, type Source, slotOf } from "./plot.js";
import type { Half } from "./pools.js";
import { type Aim, addRefunds, aim, drawReference } from "./shop.js";
import { drawVariant } from "./variants.js";
import { worded } from "./wordings.js";
import type { World } from "./world.js";

/** Families of every 10 consecutive tasks. */
export const refundFamilies = [
  ...(["return", "exchange", "problem", "late", "return"] as const),
  ...(["exchange", "return", "problem", "exchange", "late"] as const),
];

export function refundsCase(draw: Draw, half: Half, index: number): Case {
  const family = refundFamilies[index % refundFamilies.length] as (typeof refundFamilies)[number];
  const plots = { return: sendBack, exchange, problem, late };
  return caseWith(draw, half, "refunds", family, plots[family]);
}

type Reason = "damaged" | "unwanted";

function sendBack(world: World): Plot {
  const { draw, customer } = world;
  const reason = draw.one<Reason>(["damaged", "unwanted"]);
  if (draw.happens(1 / 4)) customer.tier = "gold";
  const meant = delivered(world, reason, true);
  const isReasonTold = !draw.happens(1 / 3);
  const method = methodSlot(world, drawSource(draw), ["card", "gift"], addRefunds);
  const wording = isReasonTold ? (reason === "damaged" ? "returnDamaged" : "returnUnwanted") : "returnOpen";
  const request = [worded(draw, wording, { thing: meant.thing }), ...method.told].join(" ");
  const wish = refund(meant, reason, method.slot.value, request, draw.happens(1 / 3) ? 0 : 10);
  const fee = reason === "damaged" || customer.tier === "gold" ? 0 : returnFee;
  const asks = draw.happens(1 / 2) && fee <= wish.limit;
  const ask = worded(draw, "askRefund");
  return {
    ...plain(wish, [meant.order.id]),
    ...(asks && { facts: [{ name: "the refund", ask, kind: "amount", value: priceOf(meant) - fee }] }),
    slots: { ...meant.slots, reason: reasonSlot(world, reason, isReasonTold ? "told" : "asked"), method: method.slot },
    request: asks ? `${request} ${ask}` : request,
  };
}

function exchange(world: World): Plot {
  const { draw } = world;
  const source = drawSource(draw);
  const isReasonTold = source !== "told" || draw.happens(1 / 2);
  const reason = source === "told" ? draw.one<Reason>(["damaged", "unwanted"]) : "damaged";
  const meant = delivered(world, reason, true, source === "records");
  const { name, isSoldOut, slot: target } = drawVariant(world, meant, source);
  const ofTold = isReasonTold ? (reason === "damaged" ? "exchangeDamaged" : "exchangeUnwanted") : "exchangeOpen";
  const wording = ({ told: ofTold, records: "exchangeUsual", asked: "exchangeAny" } as const)[source];
  const request = worded(draw, wording, { thing: meant.thing, value: name });
  const wish = replacement(meant, reason, name, request, draw.happens(1 / 3) ? 0 : 20);
  const money = methodSlot(world, "told", ["card", "gift"]);
  const say = [worded(draw, "thenRefund"), ...money.told].join(" ");
  return {
    ...plain(wish, [meant.order.id, meant.product.id]),
    ...(isSoldOut && { fallback: refund(meant, reason, money.slot.value, say, 10) }),
    slots: { ...meant.slots, reason: reasonSlot(world, reason, isReasonTold ? "told" : "asked"), target },
    request,
  };
}

/** A damaged good, for which the customer does not say at first what should be done. */
function problem(world: World): Plot {
  const { draw, customer } = world;
  const known = draw.one(["records", "asked", "asked"] as const);
  const wantsMoney = known === "records" || draw.happens(1 / 2);
  if (known === "records") customer.notes.push(worded(draw, "noteRefund"));
  const meant = delivered(world, "damaged", true);
  const request = worded(draw, "problem", { thing: meant.thing });
  const reason = reasonSlot(world, "damaged", "told");
  if (wantsMoney) {
    const method = methodSlot(world, draw.one(["records", "asked"]), ["card", "gift"], addRefunds);
    const say = worded(draw, "wantRefund");
    const want = slotOf(known, "refund", say, { is: moneyWords, not: exchangeWords, choices: ["refund", "exchange"] });
    const wish = refund(meant, "damaged", method.slot.value, say, 10);
    return { ...plain(wish, [meant.order.id]), slots: { ...meant.slots, want, reason, method: method.slot }, request };
  }
  const { name, slot: target } = drawVariant(world, meant, "asked");
  const say = worded(draw, "wantExchange", { value: name });
  const want = slotOf(known, "exchange", say, { is: exchangeWords, not: moneyWords, choices: ["refund", "exchange"] });
  const wish = replacement(meant, "damaged", name, say, 20);
  const slots = { ...meant.slots, want, reason, target: { ...target, known: "told" as const } };
  return { ...plain(wish, [meant.order.id, meant.product.id]), slots, request };
}

const moneyWords = ["refund", "money back", "your money", "refunded"];
const exchangeWords = ["exchange", "replacement", "replace", "exchanged", "new one", "another one"];

/** A good that the customer does not like, after the last day for its return. */
function late(world: World): Plot {
  const { draw, customer, database } = world;
  const meant = delivered(world, "unwanted", false);
  const isReasonTold = !draw.happens(1 / 3);
  const [card = ""] = customer.methods;
  const request = worded(draw, isReasonTold ? "returnUnwanted" : "returnOpen", { thing: meant.thing });
  const last = lastDayOf(database, meant.order.id, meant.item, "unwanted");
  const ask = worded(draw, "askLastDay");
  return {
    ...plain(refund(meant, "unwanted", card, request, 10), [meant.order.id]),
    fallback: { say: worded(draw, "accept"), limit: 0 },
    facts: [{ name: "the last day", ask, kind: "date", value: last }],
    asksLate: true,
    slots: { ...meant.slots, reason: reasonSlot(world, "unwanted", isReasonTold ? "told" : "asked") },
    request,
  };
}

/** @param isInTime whether the good can still be sent back for this reason */
function delivered(world: World, reason: Reason, isInTime: boolean, isColoured = false): Aim {
  const { draw } = world;
  const isElectronic = !isColoured && draw.happens(1 / 3);
  const last = isElectronic ? windows.electronics : windows.other;
  const days = !isInTime
    ? draw.number(last + 1, last + 40)
    : reason === "damaged"
      ? draw.number(5, windows.damaged - 8)
      : draw.number(3, last - 4);
  const reference = drawReference(world, true);
  const group = isElectronic ? ("electronics" as const) : ("other" as const);
  return aim(world, { reference, status: "delivered", closed: "shipped", days, isColoured, group });
}

function priceOf({ order, item }: Aim): number {
  return order.lines.find((line) => line.item === item)?.price ?? 0;
}

function refund({ order, item }: Aim, reason: Reason, method: string, say: string, limit: number): Wish {
  return { change: { kind: "return_item", args: [order.id, item, reason, method] }, say, limit };
}

function replacement({ order, item, product }: Aim, reason: Reason, variant: string, say: string, limit: number): Wish {
  return { change: { kind: "exchange_item", args: [order.id, item, `${product.id}-${variant}`, reason] }, say, limit };
}

const damagedWords = ["damaged", "broken", "defective", "faulty", "a defect", "damage"];
const unwantedWords = ["unwanted", "changed your mind", "change your mind", "don't like it", "no longer want"];

function reasonSlot({ draw }: World, reason: Reason, known: Source): Slot {
  const isDamaged = reason === "damaged";
  const answer = worded(draw, isDamaged ? "reasonDamaged" : "reasonUnwanted");
  const [is, not] = isDamaged ? [damagedWords, unwantedWords] : [unwantedWords, damagedWords];
  return slotOf(known, reason, answer, { is, not, choices: ["damaged", "unwanted"] });
}
