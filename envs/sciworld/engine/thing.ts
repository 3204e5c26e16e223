/**
 * A thing: a place in the tree of what is in what, and what it has, each as a component that may be missing. What it is
 * called, how it looks and what it does by itself are its kind's.
 */
import type { Family, Kind } from "./kind.js";
import type { Life } from "./life.js";
import type { Material } from "./material.js";

/** Whether and how something can be in it. */
export interface Opening {
  /** False: nothing is ever put into it, though it is asked whether it is open. */
  isContainer: boolean;
  isOpen: boolean;
  canClose: boolean;
}

export interface Device {
  canActivate: boolean;
  isActive: boolean;
  /** On other things. */
  isTool: boolean;
  isBroken: boolean;
}

/** What leads from one thing to another: a door, a drain. */
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

/** Where a wire can be fastened. */
export interface Contact {
  readonly owner: Thing;
  /** At most one. */
  connected: Thing | undefined;
  voltage: number | undefined;
}

/** Of a flower, or of pollen. */
export interface Bloom {
  /** Whose it is. */
  readonly plant: Thing;
  /** Whose pollen the flower has taken. */
  pollinator: Thing | undefined;
  /** Since then, that tick included. */
  ticks: number;
}

/** What all of its words begin with, as the parser compares them, as long as it has that name and fire has left it so. */
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
  /** By age. */
  readonly contents: Thing[] = [];
  readonly passages: Thing[] = [];
  container: Thing | undefined;
  /** On an inclined plane: 1 at the top, where everything begins, 0 at the bottom. */
  height = 1;
  /** The world's tick in which it was last processed. */
  processedAt = -1;

  material?: Material;
  opening?: Opening;
  device?: Device;
  passage?: Passage;
  contact?: Contact;
  readable?: Readable;
  /** Its two contacts, where it has any. */
  contacts?: readonly [Thing, Thing];
  /** Until then no current comes to it. */
  hasBeenWired = false;
  isEdible = false;
  life?: Life;
  bloom?: Bloom;
  private counted: Map<string, number> | undefined;

  known: Known | undefined;
  /** Of its contents, each list in their order; undefined: to be made anew. */
  private inside: Inside | undefined;

  // Of its kind, kept here since every step asks for them and kinds have many shapes.
  private readonly families: readonly Family[];
  readonly live: Kind["live"];
  readonly presentName: Kind["presentName"];

  /** @param age by which things are ordered everywhere: the world counts what it makes */
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

  /** What its kind's rule counts, by name. Hardly any does. */
  get counters(): Map<string, number> {
    this.counted ??= new Map();
    return this.counted;
  }

  is(family: Family): boolean {
    return this.families.includes(family);
  }

  /** Takes it out of wherever it was. Nothing is put into itself. */
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

  /** What is in it but for contacts, which do nothing by themselves. A list that is made anew when anything changes. */
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
