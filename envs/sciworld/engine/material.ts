/** What a thing is made of, and the state that this is in. */

export type StateOfMatter = "solid" | "liquid" | "gas";

/** What is true of a material wherever it is. Temperatures are in degrees Celsius. */
export interface MaterialFacts {
  readonly substance: string;
  /** What a thing made of it is called in each state. Left out: as it was. */
  readonly names?: Readonly<Record<StateOfMatter, string>>;
  readonly color: string;
  /** 0 conducts no heat, 1 conducts it best. */
  readonly thermalConductivity: number;
  readonly meltingPoint: number;
  readonly boilingPoint: number;
  readonly combustionPoint: number;
  readonly conductsElectricity: boolean;
  /** 0 is none, 1 lets nothing slide. */
  readonly friction: number;
  /** What a thing made of it is in at first, whatever the temperature. */
  readonly state: StateOfMatter;
  /** At first. */
  readonly temperature: number;
  /** For so many ticks it burns before it is ash; 0: it does not. */
  readonly burnsFor: number;
  /** It is what fire leaves. */
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
  /** Ticks that it still burns, or would. */
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
