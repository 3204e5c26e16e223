/** The domain `bookings`: changes of train journeys, and compensations for late ones. */
import type { Draw } from "../../shared/rng/draw.js";
import { excused } from "../world/booking-changes.js";
import type { Fare, Trip } from "../world/database.js";
import { dateOf, datesOf } from "../world/days.js";
import type { Case, Slot, Wish } from "./case.js";
import { methodSlot } from "./methods.js";
import { caseWith, drawSource, leave, type Plot, plain, type Source, slotOf } from "./plot.js";
import type { Half } from "./pools.js";
import { seatSlot } from "./seats.js";
import { type Journey, journey } from "./travel.js";
import { worded } from "./wordings.js";
import type { World } from "./world.js";

/** Families of every 10 consecutive tasks. */
export const bookingFamilies = [
  ...(["change", "upgrade", "delay", "cancel", "change"] as const),
  ...(["saver", "delay", "change", "upgrade", "cancel"] as const),
];

/** Seats that show no preference. */
const mixed = { seat: "aisle", rivalSeat: "window", past: { seats: ["aisle", "window"] } };

export function bookingsCase(draw: Draw, half: Half, index: number): Case {
  const family = bookingFamilies[index % bookingFamilies.length] as (typeof bookingFamilies)[number];
  return caseWith(draw, half, "bookings", family, { change, upgrade, cancel, delay, saver }[family]);
}

function change(world: World): Plot {
  const { draw } = world;
  const source = drawSource(draw);
  const time = draw.one(["07:05", "11:40", "17:15"]);
  const seat = seatSlot(world, drawSource(draw));
  const past = { seats: seat.seats.past, time: source === "records" ? time : undefined };
  const fare = draw.one<Fare>(["basic", "basic", "flex"]);
  const meant = journey(world, { fare, status: "booked", ...seat.seats, past });
  const [wanted] = meant.others as [Trip];
  if (source === "records") wanted.time = time;
  if (draw.happens(1 / 2)) wanted.prices.standard += 2 * draw.number(2, 6);
  const values = { thing: meant.thing, date: dateOf(wanted.day), time: wanted.time };
  const wording = ({ told: "moveTold", records: "moveUsual", asked: "moveOpen" } as const)[source];
  const ask = worded(draw, "askDeparture");
  const asks = source === "records";
  const request = [worded(draw, wording, values), ...seat.told].join(" ");
  const args = [meant.booking.id, wanted.id, seat.slot.value];
  const wish: Wish = { change: { kind: "change_trip", args }, say: request, limit: draw.happens(1 / 3) ? 0 : 40 };
  return {
    ...plain(wish, [meant.booking.id]),
    ...(asks && { facts: [{ name: "the departure", ask, kind: "time", value: wanted.time }], asksLate: false }),
    slots: { ...meant.slots, target: tripSlot(world, meant, wanted, source), seat: seat.slot },
    request: asks ? `${request} ${ask}` : request,
  };
}

function tripSlot({ draw }: World, { others }: Journey, wanted: Trip, known: Source): Slot {
  const rest = others.filter((trip) => trip !== wanted);
  return slotOf(known, wanted.id, worded(draw, "newTrain", { date: dateOf(wanted.day), time: wanted.time }), {
    is: [wanted.id, wanted.time],
    not: rest.flatMap(({ id, time, day }) => [id, time, ...(day === wanted.day ? [] : datesOf(day))]),
    choices: others.map(({ id }) => id).sort(),
  });
}

function upgrade(world: World): Plot {
  const { draw } = world;
  const seat = seatSlot(world, drawSource(draw));
  const fare = draw.one<Fare>(["saver", "basic", "flex"]);
  const meant = journey(world, { fare, status: "booked", ...seat.seats, past: { seats: seat.seats.past } });
  if (draw.happens(1 / 5)) meant.trip.free.comfort = 0;
  const request = [worded(draw, "upgrade", { thing: meant.thing }), ...seat.told].join(" ");
  const args = [meant.booking.id, seat.slot.value];
  const wish = { change: { kind: "upgrade_booking", args }, say: request, limit: draw.happens(1 / 3) ? 0 : 60 };
  return { ...plain(wish, [meant.booking.id]), slots: { ...meant.slots, seat: seat.slot }, request };
}

function cancel(world: World): Plot {
  const { draw } = world;
  const method = methodSlot(world, drawSource(draw), ["card", "gift"]);
  const fare = draw.one<Fare>(["basic", "flex"]);
  const meant = journey(world, { fare, status: "booked", ...mixed });
  const request = [worded(draw, "cancelTrain", { thing: meant.thing }), ...method.told].join(" ");
  const accepts = fare === "flex" || !draw.happens(1 / 3);
  const wish = {
    change: { kind: "cancel_booking", args: [meant.booking.id, method.slot.value] },
    say: request,
    limit: accepts ? 100 : 0,
  };
  const asks = accepts && draw.happens(1 / 2);
  const ask = worded(draw, "askRefund");
  const value = fare === "flex" ? meant.booking.price : meant.booking.price / 2;
  return {
    ...plain(wish, [meant.booking.id]),
    ...(asks && { facts: [{ name: "the refund", ask, kind: "amount", value }] }),
    slots: { ...meant.slots, method: method.slot },
    request: asks ? `${request} ${ask}` : request,
  };
}

/** A journey that was late: too little, by the weather, or so that the company pays. */
function delay(world: World): Plot {
  const { draw } = world;
  const fate = draw.one(["short", "weather", "long", "long", "long", "very long", "very long", "very long"] as const);
  const isPaid = fate !== "short" && fate !== "weather";
  const known = isPaid ? drawSource(draw) : "told";
  const method = methodSlot(world, known, ["card", "voucher"]);
  const late =
    fate === "short" ? draw.number(20, 59) : fate === "very long" ? draw.number(120, 240) : draw.number(60, 119);
  const cause = fate === "weather" ? excused : draw.one(["repair", "engine fault", "late crew"]);
  const meant = journey(world, { fare: "basic", status: "travelled", late, cause, ...mixed });
  const { id, price } = meant.booking;
  const amount = fate === "very long" ? price / 2 : price / 4;
  const request = [worded(draw, "late", { thing: meant.thing }), ...method.told].join(" ");
  const wish = {
    change: { kind: "compensate", args: [id, String(amount), method.slot.value] },
    say: request,
    limit: 0,
  };
  const sum = { name: "the compensation", ask: worded(draw, "askSum"), kind: "amount", value: amount } as const;
  const why = { name: "the cause", ask: worded(draw, "askCause"), kind: "word", value: cause } as const;
  const asks = isPaid && draw.happens(1 / 2);
  return {
    ...plain(wish, [id]),
    fallback: { say: worded(draw, "accept"), limit: 0 },
    facts: isPaid ? (asks ? [sum] : []) : [why],
    asksLate: !isPaid,
    slots: { ...meant.slots, method: method.slot },
    request: asks ? `${request} ${sum.ask}` : request,
  };
}

/** A saver fare, which can only be upgraded. */
function saver(world: World): Plot {
  const { draw, customer } = world;
  const meant = journey(world, { fare: "saver", status: "booked", ...mixed });
  const { booking, trip, others, thing } = meant;
  const [wanted] = others as [Trip];
  const isMove = draw.happens(1 / 2);
  const request = isMove
    ? worded(draw, "moveTold", { thing, date: dateOf(wanted.day), time: wanted.time })
    : worded(draw, "cancelTrain", { thing });
  const change = isMove
    ? { kind: "change_trip", args: [booking.id, wanted.id, "aisle"] }
    : { kind: "cancel_booking", args: [booking.id, customer.methods[0] as string] };
  const upgrades = draw.happens(1 / 2);
  const seat = draw.one(["aisle", "window"]);
  const instead = {
    change: { kind: "upgrade_booking", args: [booking.id, seat] },
    say: worded(draw, "thenUpgrade", { seat }),
    limit: 60,
  };
  const departure = {
    name: "the departure",
    ask: worded(draw, "thenDeparture"),
    kind: "time",
    value: trip.time,
  } as const;
  return {
    ...plain({ change, say: request, limit: 200 }, [booking.id]),
    fallback: upgrades ? instead : leave,
    facts: upgrades ? [] : [departure],
    asksLate: true,
    slots: { ...meant.slots, ...(isMove && { target: tripSlot(world, meant, wanted, "told") }) },
    request,
  };
}
