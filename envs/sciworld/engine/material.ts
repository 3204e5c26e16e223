/** The material of a thing, and its state of matter. */

export type StateOfMatter = "solid" | "liquid" | "gas";

/** Constants of a material. Temperatures are in degrees Celsius. */
export interface MaterialFacts {
  readonly substance: string;
  /** Name of a thing of this material, by state. Default: the name does not change. */
  readonly names?: Readonly<Record<StateOfMatter, string>>;
  readonly color: string;
  /** Conductivity from 0 (an insulator) to 1 (the best conductor). */
  readonly thermalConductivity: number;
  readonly meltingPoint: number;
  readonly boilingPoint: number;
  readonly combustionPoint: number;
  readonly conductsElectricity: boolean;
  /** Friction from 0 (no friction) to 1 (nothing slides). */
  readonly friction: number;
  /** State of a new thing, at any temperature. */
  readonly state: StateOfMatter;
  /** Temperature of a new thing. */
  readonly temperature: number;
  /** Number of ticks that the material burns before it is ash. 0 if the material is not flammable. */
  readonly burnsFor: number;
  /** True for a material that counts as burned from the start, such as ash. */
  readonly hasBurned?: boolean;
}

/** The material of one thing. */
export class Material {
  substance: string;
  names: Readonly<Record<StateOfMatter, string>> | undefined;
  temperature: number;
  state: StateOfMatter;
  meltingPoint: number;
  conductsElectricity: boolean;
  isBurning = false;
  hasBurned: boolean;
  /** Number of ticks left to burn. */
  burnsFor: number;
  readonly thermalConductivity: number;

  constructor(readonly facts: MaterialFacts) {
    this.substance = facts.substance;
    this.names = facts.names;
    this.temperature = facts.temperature;
    this.state = facts.state;
    this.meltingPoint = facts.meltingPoint;
    this.conductsElectricity = facts.conductsElectricity;
    this.burnsFor = facts.burnsFor;
    this.hasBurned = facts.hasBurned ?? false;
    this.thermalConductivity = facts.thermalConductivity;
  }
}
