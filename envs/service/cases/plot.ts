/** Parts that the plots of all domains share. */
import type { Draw } from "../../shared/rng/draw.js";
import type { Case, Domain, Slot, Slots, Wish } from "./case.js";
import { drawsNamesake, identityOf } from "./identity.js";
import type { Half } from "./pools.js";
import { World } from "./world.js";

/** A case without the identity of the customer. */
export interface Plot extends Pick<Case, "wish" | "fallback" | "facts" | "asksLate" | "evidence"> {
  slots: Slots;
  /** The customer's first message, without the introduction. */
  request: string;
}

/** How the customer's first message gives the value of a slot. */
export type Source = Slot["known"];

export const leave: Wish = { say: "Then leave it as it is, please.", limit: 0 };

export function caseWith(draw: Draw, half: Half, domain: Domain, kind: string, plotOf: (world: World) => Plot): Case {
  const world = new World(draw, half, drawsNamesake(draw));
  const { slots, request, ...plot } = plotOf(world);
  const identity = identityOf(world);
  const { customer, database, isNamesake } = world;
  return {
    domain,
    family: `${domain}-${kind}`,
    title: request,
    database,
    customer: customer.id,
    introduction: identity.introduction,
    isNamesake,
    isImpostor: identity.isImpostor,
    opening: `${identity.lead} ${request}`,
    slots: { ...identity.slots, ...slots },
    patience: draw.number(2, 3),
    ...plot,
  };
}

/** Draws a source: of 4 values, 1 is told, 1 is in the records, and 2 must be asked for. */
export function drawSource(draw: Draw): Source {
  return draw.one(["told", "records", "asked", "asked"] as const);
}

/** Returns a plot without facts, whose fallback is to leave everything as it is. */
export function plain(
  wish: Wish,
  evidence: readonly string[],
): Pick<Plot, "wish" | "fallback" | "facts" | "asksLate" | "evidence"> {
  return { wish, fallback: leave, facts: [], asksLate: false, evidence };
}

/**
 * Returns a slot with one answer.
 *
 * @param is texts that name the value; default: the value
 */
export function slotOf(
  known: Source,
  value: string,
  answer: string,
  { is = [value], not = [], choices = [value] }: Partial<Pick<Slot, "is" | "not" | "choices">> = {},
): Slot {
  const lower = (texts: readonly string[]) => texts.map((text) => text.toLowerCase());
  return { known, answers: [answer], curt: answer, is: lower(is), not: lower(not), value, choices };
}
