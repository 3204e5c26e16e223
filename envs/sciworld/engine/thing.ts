/**
 * Things and their kinds. A thing is a node in the tree of containers and has optional components, such as a material
 * or a life. Its kind defines its words, its description and its rule.
 */
import type { JavaRandom } from "../../shared/rng/java-random.js";
import type { Detail, Device, Family, KindFacts } from "./kind-facts.js";
import type { Life, Stage } from "./life.js";
import type { Material } from "./material.js";
import type { Simplification } from "./simplifications.js";

/** The part of the world that rules use: the clock, the random stream, and the creation of things. */
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
  /** Kind of fruit that the plant's flowers turn into. Default: seeds of the plant. */
  readonly fruit?: Kind;
}

/** A kind of thing: its facts and its rules. The folder facts/ defines all kinds. */
export interface Kind extends KindFacts {
  readonly life?: LifeFacts;

  /** Adds the contents and parts of a new thing. */
  furnish?(thing: Thing, world: World): void;
  /** Returns the current name, without a note about fire. Default: the name of the thing. */
  presentName?(thing: Thing): string;
  /** Returns all names that an agent may use, in any order. */
  words(thing: Thing): readonly string[];
  /** Returns a prefix of each word, for kinds whose words are slow to compute. Default: the words themselves. */
  stems?(thing: Thing): readonly string[];
  describe(thing: Thing, detail: Detail): string;
  /** Performs the rule of the kind. Called in each tick, before physics. */
  live?(thing: Thing, world: World): void;
  /** Uses the thing on another thing. @returns the observation, or undefined if this use is not possible */
  use?(thing: Thing, patient: Thing, world: World): string | undefined;
}

/** The state of a thing that can contain other things. */
export interface Opening {
  /** False for a thing that never has contents, but about which the agent can ask whether it is open. */
  isContainer: boolean;
  isOpen: boolean;
  canClose: boolean;
}

/** A connection between two things: a door or a drain. */
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

/** An electrical contact, to which a contact of another thing can be connected. */
export interface Contact {
  readonly owner: Thing;
  /** Contact that is connected to this contact. */
  connected: Thing | undefined;
  voltage: number | undefined;
}

export type ContactPair = readonly [Thing, Thing];

/** Makes the contacts of a thing and adds them to its contents. */
export type ContactMaker = (owner: Thing) => ContactPair;

/** Component of flowers and pollen. */
export interface Bloom {
  /** Plant that the flower or the pollen belongs to. */
  readonly plant: Thing;
  /** The plant whose pollen the flower has received. */
  pollinator: Thing | undefined;
  /** Number of ticks since pollination, including the tick of the pollination. */
  ticks: number;
}

/**
 * Prefixes of all words of a thing, which the parser caches until the name changes or the thing starts or stops
 * burning.
 */
interface Known {
  readonly name: string;
  readonly isBurning: boolean;
  readonly hasBurned: boolean;
  readonly stems: readonly string[];
}

const none: readonly Family[] = [];
/** List of the things that contain nothing. */
const nothing: readonly Thing[] = [];
const noMaterials: readonly Material[] = [];

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
  /** The contents without lazy contacts that are not made yet, sorted by age. Changed only by this class. */
  held: readonly Thing[] = nothing;
  passages: readonly Thing[] = nothing;
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
  /** Makes the contacts. Undefined for a thing whose contacts are made, or that has none. */
  private contactMaker: ContactMaker | undefined;
  private contactPair: ContactPair | undefined;
  /** Whether a wire was ever connected to the thing. If not, electricity need not be computed for it. */
  hasBeenWired = false;
  isEdible = false;
  life?: Life<LifeStage>;
  bloom?: Bloom;
  private counted: Map<string, number> | undefined;

  known: Known | undefined;
  /** Cached lists derived from the contents, in the same order. Undefined after the contents have changed. */
  private inside: Inside | undefined;

  // Families of the kind, copied for speed: every step reads the families, and objects of many shapes are slow to read.
  private readonly families: readonly Family[];
  readonly live: Kind["live"];
  readonly presentName: Kind["presentName"];

  /** @param age number in the order of creation, by which all lists of things are sorted */
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

  /** Counters that the kind's rule uses, by name. Few kinds have counters. */
  get counters(): Map<string, number> {
    this.counted ??= new Map();
    return this.counted;
  }

  is(family: Family): boolean {
    return this.families.includes(family);
  }

  /**
   * Gives the thing contacts. Lazy contacts, which must be hidden, are made when something first asks for them or for
   * the complete contents: nearly every thing has hidden contacts, and an episode needs only a few of them.
   */
  addContacts(maker: ContactMaker, { isLazy }: { isLazy: boolean }): void {
    this.contactMaker = maker;
    if (!isLazy) this.makeContacts();
  }

  /** The two contacts, if the thing has contacts. */
  get contacts(): ContactPair | undefined {
    this.makeContacts();
    return this.contactPair;
  }

  /** The complete contents, with hidden contacts, sorted by age. Use `visibleContents` if contacts do not matter. */
  get contents(): readonly Thing[] {
    this.makeContacts();
    return this.held;
  }

  private makeContacts(): void {
    const make = this.contactMaker;
    if (!make) return;
    this.contactMaker = undefined;
    this.contactPair = make(this);
  }

  /** Moves a thing into this thing. Adding a thing to itself has no effect. */
  add(thing: Thing): void {
    if (thing === this) return;
    thing.leave();
    this.held = insertedByAge(this.held, thing);
    thing.container = this;
    this.inside = undefined;
  }

  leave(): void {
    const { container } = this;
    if (!container) return;
    (container.held as Thing[]).splice(container.held.indexOf(this), 1);
    container.inside = undefined;
    this.container = undefined;
    this.height = 1;
  }

  addPassage(passage: Thing): void {
    this.passages = insertedByAge(this.passages, passage);
  }

  contains(thing: Thing): boolean {
    return thing.container === this;
  }

  visibleContents(): readonly Thing[] {
    return this.lookInside().visible;
  }

  /**
   * Returns the contents without contacts, which have no rule. The returned list never changes: a change of the
   * contents creates a new list.
   */
  bodiesWithin(): readonly Thing[] {
    return this.lookInside().bodies;
  }

  materialsWithin(): readonly Material[] {
    return this.lookInside().materials;
  }

  lookInside(): Inside {
    this.inside ??= insideOf(this.held);
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

const emptyInside: Inside = { visible: nothing, bodies: nothing, materials: noMaterials };

function insideOf(contents: readonly Thing[]): Inside {
  if (contents.length === 0) return emptyInside;
  const [visible, bodies, materials]: [Thing[], Thing[], Material[]] = [[], [], []];
  for (const one of contents) {
    if (!one.isHidden) visible.push(one);
    if (!one.contact) bodies.push(one);
    if (one.material) materials.push(one.material);
  }
  return {
    visible: visible.length > 0 ? visible : nothing,
    bodies: bodies.length > 0 ? bodies : nothing,
    materials: materials.length > 0 ? materials : noMaterials,
  };
}

/** Adds a thing to a list of its own, or to a new one in place of `nothing`. Returns the list. */
function insertedByAge(list: readonly Thing[], thing: Thing): readonly Thing[] {
  // A list that starts with its first thing has no room for others, and most lists never need it.
  if (list === nothing) return [thing];
  const things = list as Thing[];
  let at = things.length;
  while (at > 0 && (things[at - 1] as Thing).age > thing.age) at -= 1;
  if (things[at - 1] !== thing) things.splice(at, 0, thing);
  return things;
}
