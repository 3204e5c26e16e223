/** Type numbers of ScienceWorld's kinds, which its API returns with valid actions. */
import type { Thing } from "../../engine/thing.js";
import { ice } from "./substances.js";

/** Names of the types; the position is the number, from 0. Some types are abstract: no thing has them. */
const types = `
agent, inventory, book shelf, ceramic cup, container, cup, flower pot, glass cup, glass jar, jug, metal pot, paper cup,
plastic cup, self watering flower pot, sewer, tin cup, bowl, wood cup, bed, bee hive, chair, closet, couch, counter,
cupboard, desk, drawer, mattress, pillow, sittable, steel table, wood table, axe, bathtub, blast furnace,
cooling source, device, freezer, fridge, heat source, hot plate, lighter, oven, shovel, sink, stopwatch, stove,
thermometer, toilet, ultra low temperature freezer, book, book (Beowulf), book (Frankenstein), book (Moby Dick),
book (The Foundations of the Origin of Species), book (Pride and Prejudice), book (Sherlock Holmes), coloured paper,
document, paper, recipe, anode, battery, cathode, electric buzzer, electric motor, electrical component, gas generator,
generator, light bulb, nuclear generator, polarized component, renewable generator, solar panel, switch, terminal,
unpolarized component, wind generator, wire, fire pit, fountain, ground, hole, living thing, animal, ant, beaver, bee,
blue jay, brown bear, butterfly, chameleon, chipmunk, crocodile, dove, dragonfly, elephant, frog, giant tortoise,
hedgehog, moth, mouse, parrot, rabbit, common toad, turtle, wandering animal, wolf, apple tree, apricot tree,
avocado tree, banana tree, cherry tree, flower, fruiting tree, grapefruit tree, lemon tree, orange tree, pea,
peach tree, pear tree, any plant, pollen, unknown, unknown B, unknown C, unknown D, unknown E, soil, tree, location,
outside, room, universe, aluminum foil, metal fork, plastic fork, inclined plane, paper clip, picture, door, drain,
passage, acetic acid, air, ash, brick, caesium, gallium, ice, iron block, lead, mercury, rubber, rust, salt water,
soap, soapy water, sodium, sodium acetate, sodium bicarbonate, sodium chloride, steel block, substance, sugar,
sugar water, tin, water, wood, wood block, almond, apple, apple juice, apricot, avocado, banana, bread, cashew, cherry,
chocolate, dough, flour, food, fruit, fruit salad, garlic, grapefruit, ice cream, jam, lemon, marshmallow, mixed nuts,
onion, orange, orange juice, peach, peanut, pear, potato, sandwich, smores, blue paint, blue-violet paint, brown paint,
green-blue paint, green paint, orange paint, paint, red-orange paint, red paint, violet paint, violet-red paint,
yellow-green paint, yellow-orange paint, yellow paint, answer box, conducting unknown, melting unknown
`;

const numbers: ReadonlyMap<string, number> = new Map(types.split(",").map((type, number) => [type.trim(), number]));

/** Type number of a kind that is not in the table. */
const noType = -1;

export function typeNumber(thing: Thing): number {
  return numbers.get(typeOf(thing)) ?? noType;
}

/** Types that several kinds have: the name of such a kind ends with the first entry. */
const byEnd: readonly (readonly [string, string])[] = [
  [" light bulb", "light bulb"],
  [" paper", "coloured paper"],
  [" sandwich", "sandwich"],
  [" box", "answer box"],
];

function typeOf(thing: Thing): string {
  const { kind, name, life, material } = thing;
  if (thing.is("contact")) return numbers.has(name) ? name : "terminal";
  if (kind === ice) return "ice";
  if (numbers.has(kind.name)) return kind.name;
  if (kind.name === "table") return `${material?.substance} table`;
  if (life) return `${life.species} tree`;
  if (thing.is("location")) return "room";
  // Unknown substances with a melting point have their state in the name.
  if (kind.name.startsWith("unknown substance")) return material?.names ? "melting unknown" : "conducting unknown";
  return byEnd.find(([end]) => kind.name.endsWith(end))?.[1] ?? kind.name;
}
