/** Chemical reactions of mixed things, in the order in which they are tried. */

import type { StateOfMatter } from "../../engine/material.js";
import type { Kind } from "../../engine/thing.js";
import * as foods from "../matter/foods.js";
import * as paints from "../matter/paints.js";
import * as substances from "../matter/substances.js";
import { colouredPaper } from "./documents.js";

/** A reagent: matches things with this name or of this substance, in this state if it is given. */
export interface Reagent {
  readonly name: string;
  readonly state?: StateOfMatter;
}

export interface Reaction {
  readonly reagents: readonly Reagent[];
  readonly told: string;
  readonly product: Kind;
}

const water: Reagent = { name: "water", state: "liquid" };
const salt: Reagent = { name: "sodium chloride", state: "solid" };
const any = (name: string): Reagent => ({ name });
export const paint = (color: string): Reagent => ({ name: `${color} paint`, state: "liquid" });

function to(kind: Kind, reagents: readonly Reagent[], told: string): Reaction {
  return { reagents, told, product: kind };
}

function sandwich(filling: string, foodNames: readonly string[], told: string): Reaction {
  return to(foods.sandwich(filling), foodNames.map(any), `${told} mix to produce a ${filling} sandwich.`);
}

/** Returns the reaction that dyes paper. ScienceWorld's text contains "blue" for every color. */
function dyed(color: string): Reaction {
  const told = `Paper and blue paint mix to produce ${color} paper.`;
  return to(colouredPaper(color), [any("paper"), paint(color)], told);
}

const dyes = ["red", "green", "blue", "orange", "yellow", "violet"].map(dyed);

function blended(kind: Kind, one: string, other: string, told: string): Reaction {
  return to(kind, [paint(one), paint(other)], told);
}

const blends = [
  blended(paints.violetPaint, "red", "blue", "Red and blue paint mix to produce violet paint."),
  blended(paints.greenPaint, "blue", "yellow", "Blue and yellow paint mix to produce green paint."),
  blended(paints.orangePaint, "yellow", "red", "Yellow and red paint mix to produce orange paint."),
  blended(paints.yellowOrangePaint, "yellow", "orange", "Yellow and orange paint mix to produce yellow-orange paint."),
  blended(paints.redOrangePaint, "orange", "red", "Red and orange paint mix to produce red-orange paint."),
  blended(paints.violetRedPaint, "red", "violet", "Violet and red paint mix to produce violet-red paint."),
  blended(paints.blueVioletPaint, "violet", "blue", "Blue and violet paint mix to produce blue-violet paint."),
  blended(paints.greenBluePaint, "blue", "green", "Blue and green paint mix to produce blue green paint."),
  blended(paints.yellowGreenPaint, "green", "yellow", "Green and yellow paint mix to produce yellow-green paint."),
];

export const reactions: readonly Reaction[] = [
  to(substances.saltWater, [water, salt], "Sodium chloride and water mix to produce salt water."),
  to(substances.soapyWater, [water, any("soap")], "Soap and water mix to produce soapy water."),
  to(substances.sugarWater, [water, any("sugar")], "Sugar and water mix to produce sugar water."),
  to(foods.dough, [water, any("flour")], "Flour and water mix to produce dough."),
  to(foods.smores, [any("chocolate"), any("marshmallow")], "Chocolate and marshmallow mix to produce smores."),
  to(substances.rust, [water, any("iron block")], "Iron block and water mix to produce rust."),
  to(
    substances.sodiumAcetate,
    [any("sodium bicarbonate"), any("acetic acid")],
    "Sodium bicarbonate and acetic acid mix to produce sodium acetate.",
  ),
  sandwich("peanut butter", ["bread", "peanut"], "Bread and peanuts"),
  sandwich("jam", ["bread", "jam"], "Bread and peanuts"),
  sandwich("banana", ["bread", "banana"], "Bread and peanuts"),
  ...dyes,
  ...blends,
  to(
    foods.mixedNuts,
    ["peanut", "almond", "cashew"].map(any),
    "Peanuts, almonds, and cashews mix to produce mixed nuts.",
  ),
  to(
    foods.fruitSalad,
    ["apple", "orange", "banana"].map(any),
    "Apples, oranges, and bananas mix to produce fruit salad.",
  ),
  sandwich("peanut butter with jam", ["bread", "peanut", "jam"], "Bread and peanuts and jam"),
  sandwich("peanut butter with banana", ["bread", "peanut", "banana"], "Bread and peanuts and jam"),
];

/** Paints of which a mixture of two to four becomes brown, if no other reaction matches. */
export const allPaints = [
  ...["red", "blue", "yellow", "violet", "green", "orange", "yellow-orange", "red-orange", "violet-red"],
  ...["blue-violet", "green-blue", "green-yellow", "brown"],
].map(paint);
export const mostPaints = 4;

export const brownPaint = to(paints.brownPaint, [], "The paints mix to produce brown paint.");
