/** The domain `orders`: changes of orders that are on their way. The easiest domain. */

import type { Draw } from "../../shared/rng/draw.js";
import type { Change } from "../world/change.js";
import { packedFee, totalOf } from "../world/order-changes.js";
import type { Case } from "./case.js";
import { caseWith, drawSource, leave, type Plot, plain, slotOf } from "./plot.js";
import type { Half } from "./pools.js";
import { type Aim, aim, drawReference } from "./shop.js";
import { drawVariant, variantSlot } from "./variants.js";
import { worded } from "./wordings.js";
import type { World } from "./world.js";

/** Families of every 10 consecutive tasks. */
export const orderFamilies = [
  ...(["address", "swap", "cancel", "blocked", "address"] as const),
  ...(["swap", "cancel", "address", "swap", "blocked"] as const),
];

export function ordersCase(draw: Draw, half: Half, index: number): Case {
  const family = orderFamilies[index % orderFamilies.length] as (typeof orderFamilies)[number];
  return caseWith(draw, half, "orders", family, { address, swap, cancel, blocked }[family]);
}

function address(world: World): Plot {
  const { draw, customer } = world;
  const meant = aim(world, { reference: drawReference(world), status: "processing", closed: "delivered", days: 3 });
  const [key, other] = draw.some(["office", "parents", "cabin"], 2) as [string, string];
  for (const name of [key, other].sort()) customer.addresses[name] = world.address();
  const source = drawSource(draw);
  const value = source === "records" ? (customer.addresses[key] as string) : world.address();
  const target = slotOf(source, value, worded(draw, "newAddress", { value }), {
    not: Object.values(customer.addresses).filter((each) => each !== value),
    choices: [...Object.values(customer.addresses).slice(1), ...(source === "told" ? [value] : [])],
  });
  const wording = ({ told: "addressTold", records: "addressSaved", asked: "addressOpen" } as const)[source];
  const request = worded(draw, wording, { named: meant.named, value, key });
  const wish = { change: { kind: "change_address", args: [meant.order.id, value] }, say: request, limit: 0 };
  return { ...plain(wish, [meant.order.id]), slots: { ...meant.slots, target }, request };
}

function cancel(world: World): Plot {
  const { draw } = world;
  const isPacked = draw.happens(1 / 2);
  const accepts = draw.happens(1 / 2);
  const status = isPacked ? "packed" : "processing";
  const meant = aim(world, { reference: drawReference(world), status, closed: "delivered", days: 3 });
  const request = worded(draw, "cancel", { named: meant.named });
  const change = { kind: "cancel_order", args: [meant.order.id] };
  const wish = { change, say: request, limit: accepts ? 2 * packedFee : 0 };
  const amount = totalOf(meant.order) - (isPacked ? packedFee : 0);
  const asks = draw.happens(1 / 2) && (accepts || !isPacked);
  const ask = worded(draw, "askRefund");
  return {
    ...plain(wish, [meant.order.id]),
    ...(asks && { facts: [{ name: "the refund", ask, kind: "amount", value: amount }] }),
    slots: { ...meant.slots },
    request: asks ? `${request} ${ask}` : request,
  };
}

function swap(world: World): Plot {
  const { draw } = world;
  const source = drawSource(draw);
  const meant = aim(world, {
    reference: drawReference(world, true),
    status: "processing",
    closed: "delivered",
    days: 3,
    isColoured: source === "records",
  });
  const { name, second, slot: target, isSoldOut } = drawVariant(world, meant, source);
  const wording = ({ told: "swapTold", records: "swapUsual", asked: "swapOpen" } as const)[source];
  const request = worded(draw, wording, { thing: meant.thing, value: name });
  const wish = { change: swapTo(meant, name), say: request, limit: draw.happens(1 / 3) ? 0 : 20 };
  const instead = { change: swapTo(meant, second), say: worded(draw, "thenVariant", { value: second }), limit: 0 };
  return {
    ...plain(wish, [meant.order.id, meant.product.id]),
    ...(isSoldOut && { fallback: instead }),
    slots: { ...meant.slots, target },
    request,
  };
}

/** An order that has been packed or shipped. */
function blocked(world: World): Plot {
  const { draw, customer } = world;
  const isPacked = draw.happens(1 / 2);
  const status = isPacked ? "packed" : "shipped";
  const meant = aim(world, { reference: drawReference(world), status, closed: "delivered", days: 4 });
  const value = world.address();
  const kind = draw.one(isPacked ? (["address", "swap"] as const) : (["address", "swap", "cancel"] as const));
  const variant = draw.one(Object.keys(meant.product.variants).filter((each) => each !== meant.variant));
  const target = {
    address: slotOf("told", value, `To ${value}.`, { not: [customer.addresses.home as string], choices: [value] }),
    swap: variantSlot(world, meant, variant, "told"),
    cancel: undefined,
  }[kind];
  const request = {
    address: () => worded(draw, "addressTold", { named: meant.named, value }),
    swap: () => worded(draw, "swapTold", { thing: meant.thing, value: variant }),
    cancel: () => worded(draw, "cancel", { named: meant.named }),
  }[kind]();
  const change = {
    address: { kind: "change_address", args: [meant.order.id, value] },
    swap: swapTo(meant, variant),
    cancel: { kind: "cancel_order", args: [meant.order.id] },
  }[kind];
  const instead = {
    change: { kind: "cancel_order", args: [meant.order.id] },
    say: worded(draw, "thenCancel"),
    limit: 10,
  };
  const arrival = {
    name: "the day of the delivery",
    ask: worded(draw, "askArrival"),
    kind: "date",
    value: meant.order.arrives,
  } as const;
  return {
    ...plain({ change, say: request, limit: 20 }, [meant.order.id]),
    fallback: isPacked ? instead : leave,
    facts: isPacked ? [] : [arrival],
    asksLate: true,
    slots: { ...meant.slots, ...(target && { target }) },
    request,
  };
}

function swapTo({ order, item, product }: Aim, variant: string): Change {
  return { kind: "swap_item", args: [order.id, item, `${product.id}-${variant}`] };
}
