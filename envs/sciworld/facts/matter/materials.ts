/**
 * The materials of ScienceWorld (Wang et al. 2022), with the values of version 1.3.0. As in ScienceWorld, most things
 * start at 10 degrees Celsius, even in a warmer room.
 */
import type { MaterialFacts, StateOfMatter } from "../../engine/material.js";

/** A temperature that no source of heat reaches. */
const never = 100_000;

const usual = {
  temperature: 10,
  state: "solid",
  combustionPoint: never,
  conductsElectricity: false,
  burnsFor: 100,
} as const satisfies Partial<MaterialFacts>;

type Named = Pick<MaterialFacts, "substance" | "names">;

/** Returns the names of a substance as a solid, as a liquid and as a gas. */
function named(substance: string, solid: string, liquid: string, gas: string): Named {
  return { substance, names: { solid, liquid, gas } };
}

/** Returns the names of a material that is solid at room temperature: as a solid it has its plain name. */
const solid = (name: string) => named(name, name, `liquid ${name}`, `gaseous ${name}`);
const liquid = (name: string) => named(name, `solid ${name}`, name, `gaseous ${name}`);
/** Returns a name that is the same in every state. */
const constant = (substance: string): Named => ({ substance });

interface Values {
  color: string;
  conductivity: number;
  melts: number;
  boils: number;
  burns?: number;
  friction: number;
  more?: Partial<MaterialFacts>;
}

function material(names: Named, { color, conductivity, melts, boils, burns, friction, more }: Values): MaterialFacts {
  const points = { meltingPoint: melts, boilingPoint: boils, ...(burns !== undefined && { combustionPoint: burns }) };
  return { ...usual, ...names, color, thermalConductivity: conductivity, friction, ...points, ...more };
}

function metal(names: Named, color: string, melts: number, boils: number, friction: number, state?: StateOfMatter) {
  const more = { conductsElectricity: true, ...(state && { state }) };
  return material(names, { color, conductivity: 1, melts, boils, friction, more });
}

/** Returns a material that does not melt. The material may burn. */
function firm(name: string, color: string, conductivity: number, burns: number, friction: number, more = {}) {
  return material(constant(name), { color, conductivity, melts: 10_000, boils: 10_001, burns, friction, more });
}

function paint(color: string): MaterialFacts {
  const names = named(`${color}paint`, `dried ${color} paint`, `${color} paint`, `gaseous ${color} paint`);
  const values = { color, conductivity: 0.2, melts: 0, boils: 10_000, burns: 293, friction: 0.3 };
  return material(names, { ...values, more: { state: "liquid" } });
}

const fluid: Partial<MaterialFacts> = { state: "liquid" };

export const materials = {
  air: material(named("air", "solid air", "liquid air", "air"), {
    color: "clear",
    conductivity: 0.01,
    melts: -215,
    boils: -194,
    friction: 0,
    more: { state: "gas" },
  }),
  sodium: material(solid("sodium"), {
    color: "grey",
    conductivity: 0.2,
    melts: 98,
    boils: 881,
    friction: 0,
    more: { conductsElectricity: true },
  }),

  metal: metal(solid("metal"), "grey", 1000, 2000, 0.5),
  aluminum: metal(solid("aluminum"), "grey", 660, 2470, 0.45),
  brass: metal(solid("brass"), "brown", 900, 1100, 0.5),
  bronze: metal(solid("bronze"), "brown", 910, 2300, 0.4),
  caesium: metal(named("caesium", "solid caesium", "liquid caesium", "gaseous caesium"), "gold", 29, 671, 0.5),
  copper: metal(solid("copper"), "brown", 1083, 2500, 0.6),
  gallium: metal(solid("gallium"), "silver", 30, 2400, 0, "liquid"),
  gold: metal(solid("gold"), "brown", 1063, 2700, 0),
  iron: metal(solid("iron"), "grey", 1538, 2862, 0.7),
  lead: metal(solid("lead"), "grey", 327, 1740, 0.43),
  mercury: metal(
    named("mercury", "solid mercury", "liquid mercury", "gaseous mercury"),
    "silver",
    -39,
    357,
    0.1,
    "liquid",
  ),
  platinum: metal(solid("platinum"), "grey", 1770, 4400, 0.8),
  silicon: metal(solid("silicon"), "grey", 1420, 2600, 0),
  steel: metal(solid("steel"), "grey", 1400, 2900, 0.6),
  tin: metal(solid("tin"), "grey", 232, 2602, 0.3),
  titanium: metal(solid("titanium"), "grey", 1670, 3200, 0),
  zinc: metal(solid("zinc"), "brown", 419, 906, 0.62),

  glass: material(solid("glass"), { color: "clear", conductivity: 1, melts: 1400, boils: 2200, friction: 0.2 }),
  rust: material(constant("rust"), { color: "red", conductivity: 0.9, melts: 100_000, boils: 100_001, friction: 0.7 }),
  plastic: material(solid("plastic"), { color: "white", conductivity: 1, melts: 200, boils: 300, friction: 0.1 }),
  ceramic: material(solid("ceramic"), {
    color: "white",
    conductivity: 0.02,
    melts: 2000,
    boils: 10_001,
    burns: 10_000,
    friction: 0.65,
  }),
  brick: material(constant("brick"), { color: "red", conductivity: 0.1, melts: 1500, boils: 100_001, friction: 0.9 }),
  rubber: material(solid("rubber"), {
    color: "black",
    conductivity: 0.5,
    melts: 180,
    boils: 10_001,
    burns: 260,
    friction: 0.95,
  }),
  wood: firm("wood", "brown", 0.5, 350, 0.2),
  paper: firm("paper", "white", 0.5, 210, 0.2),
  sandpaper: firm("sandpaper", "brown", 0.5, 230, 0.98),
  cottonCloth: firm("cloth", "white", 0.1, 300, 0.3),
  soil: firm("soil", "brown", 0.5, 10_000, 0.3),
  ash: firm("ash", "grey", 0.5, 10_002, 0.9, { burnsFor: 0, hasBurned: true }),

  water: material(named("water", "ice", "water", "steam"), {
    color: "clear",
    conductivity: 0.5,
    melts: 0,
    boils: 100,
    friction: 0.1,
    more: fluid,
  }),
  saltWater: material(liquid("salt water"), {
    color: "white",
    conductivity: 0.2,
    melts: -2,
    boils: 110,
    friction: 0.15,
    more: { conductsElectricity: true },
  }),
  soapyWater: material(liquid("soapy water"), {
    color: "white",
    conductivity: 0.2,
    melts: -1,
    boils: 105,
    friction: 0.06,
  }),
  sugarWater: material(liquid("sugar water"), {
    color: "white",
    conductivity: 0.2,
    melts: -3,
    boils: 112,
    friction: 0.06,
  }),

  sodiumChloride: material(solid("sodium chloride"), {
    color: "white",
    conductivity: 0.2,
    melts: 801,
    boils: 1465,
    friction: 0.73,
  }),
  aceticAcid: material(liquid("acetic acid"), {
    color: "clear",
    conductivity: 0.2,
    melts: 17,
    boils: 119,
    friction: 0.1,
  }),
  sodiumBicarbonate: firm("sodium bicarbonate", "white", 0.2, 100, 0.73),
  sodiumAcetate: material(named("sodium acetate", "sodium bicarbonate", "sodium bicarbonate", "sodium bicarbonate"), {
    color: "clear",
    conductivity: 0.5,
    melts: 324,
    boils: 881,
    friction: 0.5,
  }),
  soap: material(solid("soap"), {
    color: "white",
    conductivity: 0.5,
    melts: 140,
    boils: never,
    burns: 537,
    friction: 0.05,
  }),

  plantMatter: firm("plant matter", "green", 0.5, 200, 0.3),
  flowerMatter: firm("flower matter", "purple", 0.5, 200, 0.3),
  pollenMatter: firm("pollen matter", "yellow", 0.5, 200, 0.5),

  orangeJuice: material(liquid("orange juice"), {
    color: "orange",
    conductivity: 0.5,
    melts: 0,
    boils: 100,
    friction: 0.1,
    more: fluid,
  }),
  appleJuice: material(liquid("apple juice"), {
    color: "yellow",
    conductivity: 0.5,
    melts: -2,
    boils: 160,
    friction: 0.1,
    more: fluid,
  }),
  chocolate: material(named("chocolate", "solid chocolate", "liquid chocolate", "gaseous chocolate"), {
    color: "brown",
    conductivity: 0.5,
    melts: 30,
    boils: never,
    burns: 95,
    friction: 0.32,
  }),
  sugar: material(constant("sugar"), {
    color: "white",
    conductivity: 0.5,
    melts: 186,
    boils: never,
    burns: 350,
    friction: 0.7,
  }),
  marshmallow: material(solid("marshmallow"), {
    color: "white",
    conductivity: 0.5,
    melts: 36,
    boils: never,
    burns: 350,
    friction: 0.7,
  }),
  iceCream: material(solid("ice cream"), {
    color: "white",
    conductivity: 0.5,
    melts: -10,
    boils: 101,
    friction: 0.1,
    more: { temperature: -15 },
  }),
  flour: firm("flour", "white", 0.5, 380, 0.5),
  jam: firm("jam", "red", 0.5, 400, 0.5),
  dough: firm("dough", "white", 0.5, 380, 0.5),
  nut: firm("nut", "brown", 0.5, 400, 0.5),

  paint: paint("white"),
  redPaint: paint("red"),
  bluePaint: paint("blue"),
  yellowPaint: paint("yellow"),
  violetPaint: paint("violet"),
  greenPaint: paint("green"),
  orangePaint: paint("orange"),
  brownPaint: paint("brown"),
  yellowOrangePaint: paint("yellow-orange"),
  redOrangePaint: paint("red-orange"),
  violetRedPaint: paint("violet-red"),
  blueVioletPaint: paint("blue-violet"),
  greenBluePaint: paint("green-blue"),
  yellowGreenPaint: paint("yellow-green"),
} as const satisfies Record<string, MaterialFacts>;

export type MaterialName = keyof typeof materials;
