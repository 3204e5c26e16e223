/** Heat exchange between things that touch, and heating and cooling by devices. */
import type { Material } from "./material.js";
import type { Thing } from "./thing.js";

/** Fraction of a temperature difference that perfect conductors exchange in one tick. */
const coefficient = 0.1;
/** Maximum change of temperature in one tick, in degrees. */
const mostInOneTick = 1000;

function clipped(change: number): number {
  if (change > mostInOneTick) return mostInOneTick;
  return change < -mostInOneTick ? -mostInOneTick : change;
}

/** Exchanges heat between two materials. First `one` changes; then `other` changes by the remaining difference. */
export function exchange(one: Material, other: Material): void {
  if (one.temperature === other.temperature) return;
  const conductivity = Math.min(one.thermalConductivity, other.thermalConductivity);
  one.temperature += clipped((other.temperature - one.temperature) * conductivity * coefficient);
  other.temperature += clipped((one.temperature - other.temperature) * conductivity * coefficient);
}

/** Exchanges heat between all pairs of materials in one place. */
export function exchangeWithin(materials: readonly Material[]): void {
  for (let i = 1; i < materials.length; i++) {
    const one = materials[i] as Material;
    for (let j = 0; j < i; j++) exchange(one, materials[j] as Material);
  }
}

export function heatContents(thing: Thing, upTo: number): void {
  for (const material of thing.materialsWithin()) material.temperature = heated(material.temperature, upTo);
}

export function coolContents(thing: Thing, downTo: number): void {
  for (const material of thing.materialsWithin()) material.temperature = cooled(material.temperature, downTo);
}

/** Returns the temperature after one tick of heating. */
export function heated(temperature: number, upTo: number): number {
  return temperature < upTo ? approach(temperature, upTo) : temperature;
}

export function cooled(temperature: number, downTo: number): number {
  return temperature > downTo ? approach(temperature, downTo) : temperature;
}

function approach(temperature: number, goal: number): number {
  return temperature + clipped((goal - temperature) * coefficient);
}
