/** Mixing the contents of a container. */
import {
  allPaints,
  brownPaint,
  mostPaints,
  type Reaction,
  type Reagent,
  reactions,
} from "../facts/things/reactions.js";
import { nameOf } from "./naming.js";
import { remove } from "./removal.js";
import type { Thing, World } from "./thing.js";

/** Mixes the contents of a container. @returns the observation */
export function mix(container: Thing, world: World): string {
  const contents = container.visibleContents();
  const [only] = contents;
  if (!only) return "That container is empty, so there are no items to mix.";
  if (contents.length === 1) return `There is only one thing (${nameOf(only)})`;
  for (const reaction of reactions) {
    if (reaction.reagents.length !== contents.length) continue;
    const reagents = reaction.reagents.map((reagent) => find(container, reagent));
    if (reagents.every((found) => found !== undefined)) return react(container, reagents, reaction, world);
  }
  const mixed = allPaints.flatMap((reagent) => find(container, reagent) ?? []);
  if (mixed.length === contents.length && mixed.length <= mostPaints) return react(container, mixed, brownPaint, world);
  return `Mixing the contents of the ${nameOf(container)} does not appear to produce anything new.`;
}

function react(container: Thing, reagents: readonly Thing[], reaction: Reaction, world: World): string {
  for (const reagent of reagents) remove(reagent);
  container.add(world.make(reaction.product));
  return reaction.told;
}

function find(container: Thing, { name, state }: Reagent): Thing | undefined {
  return container.visibleContents().find(({ name: its, material }) => {
    if (its === name && (state === undefined || material?.state === state)) return true;
    return state !== undefined && material?.substance === name && material.state === state;
  });
}
