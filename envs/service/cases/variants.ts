/** Other variants of a good, and colours that a customer always takes. */
import type { Slot } from "./case.js";
import { type Source, slotOf } from "./plot.js";
import { colours, goods } from "./pools.js";
import { type Aim, addOrder, addProduct } from "./shop.js";
import { worded } from "./wordings.js";
import type { World } from "./world.js";

export interface WantedVariant {
  name: string;
  /** Another variant, which the customer takes if this one is sold out. */
  second: string;
  slot: Slot;
  isSoldOut: boolean;
}

/** Draws another variant of the good, its price and its stock. A variant in the `records` is the customer's usual colour. */
export function drawVariant(world: World, meant: Aim, known: Source): WantedVariant {
  const { draw } = world;
  const { product, variant } = meant;
  const fitting = Object.keys(product.variants).filter(
    (name) => name !== variant && (known !== "records" || colours.includes(name)),
  );
  const [name, second] = draw.some(fitting, 2) as [string, string];
  const fate = draw.one(["same price", "same price", "dearer", "sold out"] as const);
  const isSoldOut = fate === "sold out" && known !== "asked";
  const own = product.variants[name] as { price: number; stock: number };
  if (isSoldOut) own.stock = 0;
  if (fate === "dearer") own.price += 2 * draw.number(2, 5);
  if (known === "records") addHabit(world, name);
  return { name, second, isSoldOut, slot: variantSlot(world, meant, name, known, isSoldOut ? [second] : []) };
}

/** @param allowed other variants to which the customer does not object */
export function variantSlot(
  { draw }: World,
  { product, variant }: Aim,
  wanted: string,
  known: Source,
  allowed: readonly string[] = [],
): Slot {
  const others = Object.keys(product.variants).filter((each) => each !== wanted && each !== variant);
  return slotOf(known, wanted, worded(draw, "newVariant", { value: wanted }), {
    not: others.filter((each) => !allowed.includes(each)),
    choices: [...others, wanted].sort(),
  });
}

/** Adds two delivered orders of other goods in a colour. */
function addHabit(world: World, colour: string): void {
  const taken = Object.keys(world.database.products);
  const free = goods()[world.half].filter(
    ({ variants, nouns }) =>
      variants.includes(colour) && nouns.every((noun) => !taken.includes(noun.replaceAll(" ", "-"))),
  );
  for (const good of world.draw.some(free, 2)) {
    const product = addProduct(world, good, world.draw.one(good.nouns));
    addOrder(world, { items: [`${product.id}-${colour}`], status: "delivered", days: world.draw.number(91, 150) });
  }
}
