/** Bees, which wander and carry pollen from flower to flower. */

import { destinationOf, nameOf } from "../../engine/naming.js";
import { familyWithin, locationOf } from "../../engine/reach.js";
import { live } from "../../engine/stages.js";
import type { Thing, World } from "../../engine/thing.js";
import { animal } from "./animals.js";
import { ageless } from "./life-cycles.js";

/** Maximum number of flowers from which a bee collects pollen. */
const mostPollen = 5;

export const bee = animal("bee", ageless, 0.1, {
  words: (thing) => ["living thing", "organism", "bee", thing.name, nameOf(thing)],
  describe(thing, detail) {
    const carriesPollen = detail === "full" && familyWithin(thing, "pollen").length > 0;
    return `a ${nameOf(thing)}${carriesPollen ? ", that is covered in pollen" : ""}`;
  },
  live(thing, world) {
    if (thing.processedAt === world.time) return;
    const choice = world.random.nextInt(2);
    const isInFlower = thing.container?.is("flower");
    if (isInFlower && choice === 0) collectPollen(thing, world);
    else if (!isInFlower && choice === 1) enterFlower(thing, world);
    else wander(thing, world);
    live(thing, world);
  },
});

function oneOf(things: readonly Thing[], { random }: World): Thing | undefined {
  return things.length > 0 ? things[random.nextInt(things.length)] : undefined;
}

function collectPollen(bee: Thing, world: World): void {
  if (familyWithin(bee, "pollen").length > mostPollen) return;
  const pollen = oneOf(bee.container?.visibleContents().filter((one) => one.is("pollen")) ?? [], world);
  if (pollen) bee.add(pollen);
}

function enterFlower(bee: Thing, world: World): void {
  if (!bee.container) return;
  oneOf(familyWithin(bee.container, "flower"), world)?.add(bee);
}

/** Moves a bee through an open door, or out of its container. */
function wander(bee: Thing, world: World): void {
  const { container } = bee;
  if (!container) return;
  const passage = oneOf(
    container.passages.filter((one) => one.passage?.isOpen),
    world,
  );
  if (passage) return destinationOf(passage, container)?.add(bee);
  if (!container.is("location") && container.isOpen) locationOf(container)?.add(bee);
}
