/**
 * One tick of a thing and its contents: first the rule of its kind, then fire, heat, state of matter and electricity.
 */
import { burn } from "./combustion.js";
import { conduct } from "./electricity.js";
import { exchange, exchangeWithin } from "./heat.js";
import { settleState } from "./state-of-matter.js";
import type { Thing, World } from "./thing.js";

/**
 * If a thing moves during the tick into a place that is processed later, only the rule of its kind is performed again.
 */
export function tick(thing: Thing, world: World): void {
  thing.live?.(thing, world);
  if (thing.processedAt === world.time) return;
  const { material } = thing;
  if (material) burn(thing, material, world);
  const { bodies, materials } = thing.lookInside();
  if (material) for (const other of materials) exchange(material, other);
  exchangeWithin(materials);
  if (material) settleState(thing, material);
  if (thing.hasBeenWired) conduct(thing, { activates: false });
  for (const body of bodies) tick(body, world);
  for (const passage of thing.passages) tick(passage, world);
  thing.processedAt = world.time;
}
