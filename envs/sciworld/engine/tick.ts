/**
 * One tick of a thing and its contents: the rule of the kind, followed by fire, heat, state of matter and electricity.
 */
import { burn } from "./combustion.js";
import { conduct } from "./electricity.js";
import { exchange, exchangeWithin } from "./heat.js";
import { settleState } from "./state-of-matter.js";
import type { Thing, World } from "./thing.js";

/** A thing that moves to a place later in the same tick is not processed again; only the rule of the kind runs again. */
export function tick(thing: Thing, world: World): void {
  thing.live?.(thing, world);
  if (thing.processedAt === world.time) return;
  if (thing.material) burn(thing, thing.material, world);
  const bodies = thing.bodiesWithin();
  const within = thing.materialsWithin();
  if (thing.material) for (const material of within) exchange(thing.material, material);
  exchangeWithin(within);
  if (thing.material) settleState(thing, thing.material);
  if (thing.hasBeenWired) conduct(thing, { activates: false });
  for (const body of bodies) tick(body, world);
  for (const passage of thing.passages) tick(passage, world);
  thing.processedAt = world.time;
}
