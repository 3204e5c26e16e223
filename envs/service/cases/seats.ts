/** Seats that customers prefer. */
import type { Slot } from "./case.js";
import { type Source, slotOf } from "./plot.js";
import type { JourneyRequest } from "./travel.js";
import { worded } from "./wordings.js";
import type { World } from "./world.js";

export interface Seat {
  slot: Slot;
  /** Sentences of the first message, if it tells the seat. */
  told: readonly string[];
  /** Seats of the present booking, of another one of its route, and of two past journeys. */
  seats: Pick<JourneyRequest, "seat" | "rivalSeat"> & { past: readonly string[] };
}

/** Draws a seat. One that the `records` tell is in a note, or was the seat of each journey. */
export function seatSlot(world: World, known: Source): Seat {
  const { draw, customer } = world;
  const [value, other] = draw.some(["aisle", "window"], 2) as [string, string];
  const isHabit = known === "records" && draw.happens(1 / 2);
  if (known === "records" && !isHabit) customer.notes.push(worded(draw, "noteSeat", { seat: value }));
  const slot = slotOf(known, value, worded(draw, "seat", { seat: value }), {
    not: [other],
    choices: ["aisle", "window"],
  });
  const told = known === "told" ? [worded(draw, "withSeat", { seat: value })] : [];
  const now = isHabit ? value : draw.one([value, other]);
  const rivalSeat = isHabit ? value : now === value ? other : value;
  return { slot, told, seats: { seat: now, rivalSeat, past: [value, isHabit ? value : other] } };
}
