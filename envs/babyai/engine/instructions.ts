/**
 * Instructions with one action (GoTo, Pickup, Open and PutNext), and the check whether an instruction is done.
 * sequences.ts combines them to longer instructions. Source: MiniGrid's `babyai.core.verifier`, without its mode in
 * which the agent reports with the move `done` that it has finished.
 */
import { DoorState, Kind, Move } from "./codes.js";
import type { Descriptor } from "./descriptor.js";
import { nothing } from "./objects.js";
import type { World } from "./world.js";

export const Status = { continue: 0, success: 1, failure: 2 } as const;
export type Status = (typeof Status)[keyof typeof Status];

/** Interface of every instruction. The type `Instruction` in sequences.ts is the union of all instructions. */
export interface Verifier {
  /** Number of objects that the agent has to reach. The limit on steps is proportional to this number. */
  readonly navigations: number;
  /** Finds the objects of the instruction and clears all progress, as `reset_verifier` does in MiniGrid. */
  begin(world: World): void;
  /** Returns the status after a move. Call `verify` after each move, as soon as it is the turn of this instruction. */
  verify(world: World, move: Move): Status;
  /** Updates the cells of the objects after a drop, as `update_objs_poss` does in MiniGrid. */
  track(world: World): void;
  /** Returns the instruction as text, as in the mission. Call `begin` before `surface`. */
  surface(): string;
  clone(): Verifier;
}

export type Action = GoTo | Pickup | Open | PutNext;

/** Instruction to stand before the object and face it. */
export class GoTo implements Verifier {
  readonly type = "goto";
  readonly navigations = 1;

  constructor(readonly desc: Descriptor) {}

  begin(world: World): void {
    this.desc.find(world);
  }

  /** Compares with the object's cell at the last drop, even if the object has been picked up since then. */
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

/**
 * Instruction to toggle the door so that it is open. A strict instruction fails if the agent toggles a different door
 * or closes this door.
 */
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

/** Instruction to pick the object up. A strict instruction fails if the agent picks up a different object. */
export class Pickup implements Verifier {
  readonly type = "pickup";
  readonly navigations = 1;
  /** Object carried after the last verified move. */
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

/**
 * Instruction to drop an object `move` in a cell next to an object `fixed`. A strict instruction fails if the agent
 * picks up any object.
 */
export class PutNext implements Verifier {
  readonly type = "putnext";
  readonly navigations = 2;
  /** Object carried after the last verified move. */
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

  /** Whether one of the objects to move is already next to a fixed object. */
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
