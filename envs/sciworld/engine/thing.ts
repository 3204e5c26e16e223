/**
 * Things and their kinds. A thing has a place in the tree of containers and a set of components, each of which may be
 * missing. The kind of a thing gives the words, the description and a rule of the thing.
 */
import type { JavaRandom } from "../../rng/java-random.js";
import type { Detail, Device, Family, KindFacts } from "./kind-facts.js";
import type { Life, Stage } from "./life.js";
import type { Material } from "./material.js";
import type { Simplification } from "./simplifications.js";

/** The part of the world that rules use: the clock, the random stream, and the making of things. */
export interface World {
  /** Number of ticks that have passed. */
  readonly time: number;
  readonly random: JavaRandom;
  readonly simplifications: ReadonlySet<Simplification>;
  /** @param name default: the name of the kind */
  make(kind: Kind, name?: string): Thing;
}

export interface LifeStage extends Stage {
  /** Performs one tick of this stage. */
  live(thing: Thing, life: Life, world: World): void;
}

/** Facts about a species. */
export interface LifeFacts {
  readonly species: string;
  /** Stages from birth to death. */
  readonly stages: readonly LifeStage[];
  /** Lifespan in years, for tasks that ask about lifespans. The simulation counts ages in ticks. */
  readonly lifespan?: number;
  /** Kind that the flowers of a plant become. Default: seeds of the plant. */
  readonly fruit?: Kind;
}

/** A kind of thing: the facts and the rules. The tables of kinds are in facts/. */
export interface Kind extends KindFacts {
  readonly life?: LifeFacts;

  /** Adds the contents and parts of a new thing. */
  furnish?(thing: Thing, world: World): void;
  /** Returns the present name, without the words for fire. Default: the name of the thing. */
  presentName?(thing: Thing): string;
  /** Returns every name that a player may use. The order of the names has no meaning. */
  words(thing: Thing): readonly string[];
  /** Returns a prefix of each word, where the words take long to make. Default: the words. */
  stems?(thing: Thing): readonly string[];
  describe(thing: Thing, detail: Detail): string;
  /** Performs the rule of the kind, in each tick before physics. */
  live?(thing: Thing, world: World): void;
  /** Uses the thing on another thing. @returns the observation, or undefined if the thing has no such use */
  use?(thing: Thing, patient: Thing, world: World): string | undefined;
}

/** The state of a thing that can contain other things. */
export interface Opening {
  /** False for a thing that never has contents but can be asked whether it is open. */
  isContainer: boolean;
  isOpen: boolean;
  canClose: boolean;
}

/** A way from one thing to another: a door or a drain. */
export interface Passage {
  isOpen: boolean;
  readonly from: Thing;
  readonly to: Thing;
}

export interface Readable {
  title: string;
  author?: string;
  text: string;
}

/** A point to which a wire can be connected. */
export interface Contact {
  readonly owner: Thing;
  /** Contact that is connected to this contact. */
  connected: Thing | undefined;
  voltage: number | undefined;
}

/** The component of flowers and pollen. */
export interface Bloom {
  /** Plant of the flower or of the pollen. */
  readonly plant: Thing;
  /** The plant whose pollen the flower has received. */
  pollinator: Thing | undefined;
  /** Number of ticks since pollination, the tick of pollination included. */
  ticks: number;
}

/** Prefixes of all words of a thing, cached by the parser until the name changes or the thing starts or stops burning. */
interface Known {
  readonly name: string;
  readonly isBurning: boolean;
  readonly hasBurned: boolean;
  readonly stems: readonly string[];
}

const none: readonly Family[] = [];

interface Inside {
  readonly visible: readonly Thing[];
  readonly bodies: readonly Thing[];
  readonly materials: readonly Material[];
}

export class Thing {
  name: string;
  isHidden = false;
  isDeleted = false;
  readonly isMovable: boolean;
  /** Sorted by age. */
  readonly contents: Thing[] = [];
  readonly passages: Thing[] = [];
  container: Thing | undefined;
  /** Height on an inclined plane: 1 at the top, where things start, and 0 at the bottom. */
  height = 1;
  /** Tick of the world in which physics last processed this thing. */
  processedAt = -1;

  material?: Material;
  opening?: Opening;
  device?: Device;
  passage?: Passage;
  contact?: Contact;
  readable?: Readable;
  /** The two contacts, if the thing has contacts. */
  contacts?: readonly [Thing, Thing];
  /** False until the first wire: a thing that was never wired needs no step of electricity. */
  hasBeenWired = false;
  isEdible = false;
  life?: Life<LifeStage>;
  bloom?: Bloom;
  private counted: Map<string, number> | undefined;

  known: Known | undefined;
  /** Lists derived from the contents, in the same order. Undefined after a change. */
  private inside: Inside | undefined;

  // Families of the kind, copied for speed: every step reads the families, and objects of many shapes are slow to read.
  private readonly families: readonly Family[];
  readonly live: Kind["live"];
  readonly presentName: Kind["presentName"];

  /** @param age the order of creation, by which things are sorted everywhere */
  constructor(
    readonly age: number,
    readonly kind: Kind,
  ) {
    this.name = kind.name;
    this.families = kind.families ?? none;
    this.live = kind.live;
    this.presentName = kind.presentName;
    this.isMovable = kind.isMovable ?? true;
  }

  /** Counters of the kind's rule, by name. Few kinds use counters. */
  get counters(): Map<string, number> {
    this.counted ??= new Map();
    return this.counted;
  }

  is(family: Family): boolean {
    return this.families.includes(family);
  }

  /** Moves a thing into this thing. Adding a thing to itself does nothing. */
  add(thing: Thing): void {
    if (thing === this) return;
    thing.leave();
    insertByAge(this.contents, thing);
    thing.container = this;
    this.inside = undefined;
  }

  leave(): void {
    const { container } = this;
    if (!container) return;
    container.contents.splice(container.contents.indexOf(this), 1);
    container.inside = undefined;
    this.container = undefined;
    this.height = 1;
  }

  addPassage(passage: Thing): void {
    insertByAge(this.passages, passage);
  }

  contains(thing: Thing): boolean {
    return thing.container === this;
  }

  visibleContents(): readonly Thing[] {
    return this.lookInside().visible;
  }

  /**
   * Returns the contents without contacts, which have no rule. A returned list stays valid: a change of the contents
   * makes a new list.
   */
  bodiesWithin(): readonly Thing[] {
    return this.lookInside().bodies;
  }

  materialsWithin(): readonly Material[] {
    return this.lookInside().materials;
  }

  private lookInside(): Inside {
    this.inside ??= {
      visible: this.contents.filter(({ isHidden }) => !isHidden),
      bodies: this.contents.filter(({ contact }) => !contact),
      materials: this.contents.flatMap(({ material }) => material ?? []),
    };
    return this.inside;
  }

  get isOpen(): boolean {
    return this.opening?.isOpen ?? false;
  }

  get isBurning(): boolean {
    return this.material?.isBurning ?? false;
  }
}

export function byAge(one: Thing, other: Thing): number {
  return one.age - other.age;
}

function insertByAge(things: Thing[], thing: Thing): void {
  let at = things.length;
  while (at > 0 && (things[at - 1] as Thing).age > thing.age) at -= 1;
  if (things[at - 1] !== thing) things.splice(at, 0, thing);
}
