/**
 * What a mission asks for, and whether it is done: GoTo, Pickup, Open and PutNext. sequences.ts puts them together.
 * Source: MiniGrid's `babyai.core.verifier`, without its mode in which the agent says that it is done.
 */
import { DoorState, Kind, Move } from "./codes.js";
import type { Descriptor } from "./descriptor.js";
import { nothing } from "./objects.js";
import type { And, Sequence } from "./sequences.js";
import type { World } from "./world.js";

export const Status = { continue: 0, success: 1, failure: 2 } as const;
export type Status = (typeof Status)[keyof typeof Status];

/** What every instruction can do; `Instruction` lists those that there are. */
export interface Verifier {
  /** How many ways the agent has to find, for the limit on steps. */
  readonly navigations: number;
  /** Looks for the objects, and forgets what was done: `reset_verifier`. */
  begin(world: World): void;
  /** How the instruction stands after a move, told once of each move from the time that it may be done. */
  verify(world: World, move: Move): Status;
  /** Looks where the objects are after a drop: `update_objs_poss`. */
  track(world: World): void;
  /** As the mission has it. Valid after `begin`. */
  surface(): string;
  clone(): Verifier;
}

export type Action = GoTo | Pickup | Open | PutNext;
export type Instruction = Action | And | Sequence;

/** Stand before the object and face it. */
export class GoTo implements Verifier {
  readonly type = "goto";
  readonly navigations = 1;

  constructor(readonly desc: Descriptor) {}

  begin(world: World): void {
    this.desc.find(world);
  }

  /** Where the object was at the last drop will do, even if it has been taken away since. */
  verify(world: World): Status {
    return this.desc.cells.includes(world.frontCell) ? Status.success : Status.continue;
  }

  track(world: World): void {
    this.desc.track(world);
  }

  surface(): string {
    return `go to ${this.desc.surface()}`;
  }

  clone(): GoTo {
    return new GoTo(this.desc.clone());
  }
}

/** Toggle the door so that it is open. Strict: toggle no other door, nor this one in vain. */
export class Open implements Verifier {
  readonly type = "open";
  readonly navigations = 1;

  constructor(
    readonly desc: Descriptor,
    readonly strict = false,
  ) {}

  begin(world: World): void {
    this.desc.find(world);
  }

  verify(world: World, move: Move): Status {
    if (move !== Move.toggle) return Status.continue;
    const ahead = world.cells[world.frontCell] as number;
    const { kinds, states } = world.objects;
    if (kinds[ahead] !== Kind.door) return Status.continue;
    if (states[ahead] === DoorState.open && this.desc.objects.includes(ahead)) return Status.success;
    return this.strict ? Status.failure : Status.continue;
  }

  track(world: World): void {
    this.desc.track(world);
  }

  surface(): string {
    return `open ${this.desc.surface()}`;
  }

  clone(): Open {
    return new Open(this.desc.clone(), this.strict);
  }
}

/** Take the object in hand. Strict: pick up nothing else. */
export class Pickup implements Verifier {
  readonly type = "pickup";
  readonly navigations = 1;
  /** In hand after the last move of which this was told. */
  private held: number = nothing;

  constructor(
    readonly desc: Descriptor,
    readonly strict = false,
  ) {}

  begin(world: World): void {
    this.held = nothing;
    this.desc.find(world);
  }

  verify(world: World, move: Move): Status {
    const before = this.held;
    this.held = world.carried;
    if (move !== Move.pickup || world.carried === nothing) return Status.continue;
    if (before === nothing && this.desc.objects.includes(world.carried)) return Status.success;
    return this.strict ? Status.failure : Status.continue;
  }

  track(world: World): void {
    this.desc.track(world);
  }

  surface(): string {
    return `pick up ${this.desc.surface()}`;
  }

  clone(): Pickup {
    const copy = new Pickup(this.desc.clone(), this.strict);
    copy.held = this.held;
    return copy;
  }
}

/** Drop the object `move` where it has an object `fixed` beside, above or below it. Strict: pick up nothing meanwhile. */
export class PutNext implements Verifier {
  readonly type = "putnext";
  readonly navigations = 2;
  /** In hand after the last move of which this was told. */
  private held: number = nothing;

  constructor(
    readonly move: Descriptor,
    readonly fixed: Descriptor,
    readonly strict = false,
  ) {}

  begin(world: World): void {
    this.held = nothing;
    this.move.find(world);
    this.fixed.find(world);
  }

  verify(world: World, move: Move): Status {
    const before = this.held;
    this.held = world.carried;
    if (this.strict && move === Move.pickup && world.carried !== nothing) return Status.failure;
    if (move !== Move.drop || !this.move.objects.includes(before)) return Status.continue;
    return this.isNext(world, before) ? Status.success : Status.continue;
  }

  /** Whether any of the objects to be moved is in its place already. */
  isDone(world: World): boolean {
    return this.move.objects.some((object) => this.isNext(world, object));
  }

  track(world: World): void {
    this.move.track(world);
    this.fixed.track(world);
  }

  surface(): string {
    return `put ${this.move.surface()} next to ${this.fixed.surface()}`;
  }

  clone(): PutNext {
    const copy = new PutNext(this.move.clone(), this.fixed.clone(), this.strict);
    copy.held = this.held;
    return copy;
  }

  private isNext(world: World, object: number): boolean {
    const cell = world.objects.cells[object] as number;
    if (cell === 0) return false;
    for (const step of world.steps) if (this.fixed.cells.includes(cell + step)) return true;
    return false;
  }
}
