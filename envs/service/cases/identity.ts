/** How the customer introduces itself, and what it answers to questions for its identity. */
import type { Draw } from "../../shared/rng/draw.js";
import type { Introduction, Slot, Slots } from "./case.js";
import { worded } from "./wordings.js";
import type { World } from "./world.js";

export interface Identity {
  introduction: Introduction;
  isImpostor: boolean;
  /** Beginning of the first message. */
  lead: string;
  slots: Slots;
}

/** Ways in which customers prove who they are; of 25 customers, as many as each way has entries. */
type Proof = "signed in" | "told" | "asked" | "mistyped" | "impostor";
const proofs: readonly Proof[] = [
  ...Array<Proof>(5).fill("signed in"),
  ...Array<Proof>(5).fill("told"),
  ...Array<Proof>(12).fill("asked"),
  ...Array<Proof>(2).fill("mistyped"),
  "impostor",
];

/** Whether another customer has the same name: of 10 cases, one. */
export function drawsNamesake(draw: Draw): boolean {
  return draw.happens(1 / 10);
}

export function identityOf(world: World): Identity {
  const { draw, customer } = world;
  const proof = draw.one(proofs);
  const introduction = proof === "signed in" ? proof : introductionOf(world, proof);
  const wrong = [world.postcode(), world.postcode()].filter((code) => code !== customer.postcode);
  const codes = {
    "signed in": [customer.postcode],
    told: [customer.postcode],
    asked: [customer.postcode],
    mistyped: [wrong[0] ?? "10000", customer.postcode],
    impostor: [wrong[0] ?? "10000", wrong[1] ?? "99999"],
  }[proof];
  const isAsked = proof !== "signed in" && proof !== "told";
  const postcode = plainSlot(isAsked ? "asked" : "told", codes, (code, at) =>
    at === 0 ? worded(draw, "postcode", { code }) : worded(draw, "postcodeAgain", { code }),
  );
  const lead = [
    worded(draw, "greeting"),
    ...(introduction === "name" ? [worded(draw, "introduction", { name: customer.name })] : []),
    ...(introduction === "email" ? [worded(draw, "mailIntroduction", { email: customer.email })] : []),
    ...(proof === "told" ? [worded(draw, "postcodeFirst", { code: customer.postcode })] : []),
  ].join(" ");
  const name = plainSlot("told", [customer.name], (text) => worded(draw, "introduction", { name: text }));
  const email = plainSlot("records", [customer.email], (text) => worded(draw, "email", { email: text }));
  return { introduction, isImpostor: proof === "impostor", lead, slots: { postcode, name, email } };
}

function introductionOf({ draw, isNamesake }: World, proof: Proof): Introduction {
  if (proof === "told" || isNamesake) return draw.happens(1 / 3) ? "email" : "name";
  return draw.one(["name", "name", "name", "email", "nothing"] as const);
}

/** Returns a slot whose answers differ in the value alone. */
function plainSlot(known: Slot["known"], values: readonly string[], say: (value: string, at: number) => string): Slot {
  const value = values.at(-1) as string;
  return { known, answers: values.map(say), curt: `${value}.`, is: [], not: [], value, choices: [] };
}
