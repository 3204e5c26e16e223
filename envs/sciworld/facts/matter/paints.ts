/** Paints by color. */
import type { Kind } from "../../engine/thing.js";
import type { MaterialName } from "./materials.js";
import { called, looksLike } from "./words.js";

function paint(name: string, material: MaterialName): Kind {
  return { name: `${name} paint`, material, words: called("paint"), describe: looksLike("") };
}

export const redPaint = paint("red", "redPaint");
export const bluePaint = paint("blue", "bluePaint");
export const yellowPaint = paint("yellow", "yellowPaint");
export const violetPaint = paint("violet", "violetPaint");
export const greenPaint = paint("green", "greenPaint");
export const orangePaint = paint("orange", "orangePaint");
export const brownPaint = paint("brown", "brownPaint");
export const yellowOrangePaint = paint("yellow-orange", "yellowOrangePaint");
export const redOrangePaint = paint("red-orange", "redOrangePaint");
export const violetRedPaint = paint("violet-red", "violetRedPaint");
export const blueVioletPaint = paint("blue-violet", "blueVioletPaint");
export const greenBluePaint = paint("green-blue", "greenBluePaint");
export const yellowGreenPaint = paint("yellow-green", "yellowGreenPaint");
