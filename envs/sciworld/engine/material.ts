/** The material of a thing, with its state of matter. */

export type StateOfMatter = "solid" | "liquid" | "gas";

/** Constants of a material. Temperatures are in degrees Celsius. */
export interface MaterialFacts {
  readonly substance: string;
  /** Name of a thing of this material in each state. Default: the state does not change the name. */
  readonly names: Readonly<Record<StateOfMatter, string>> | undefined;
  readonly color: string;
  /** Thermal conductivity from 0 (an insulator) to 1 (the best conductor). */
  readonly thermalConductivity: number;
  readonly meltingPoint: number;
  readonly boilingPoint: number;
  readonly combustionPoint: number;
  readonly conductsElectricity: boolean;
  /** Friction from 0 (no friction) to 1 (nothing slides). */
  readonly friction: number;
  /** State of a new thing, whatever its temperature. */
  readonly state: StateOfMatter;
  /** Initial temperature of a thing. */
  readonly temperature: number;
  /** Number of ticks that the material burns before it turns to ash; 0 if the material is not flammable. */
  readonly burnsFor: number;
  /** True for a material that is burned from the start, such as ash. */
  readonly hasBurned: boolean;
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
  /** Number of ticks for which the material can still burn. */
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
    this.hasBurned = facts.hasBurned;
    this.thermalConductivity = facts.thermalConductivity;
  }
}
