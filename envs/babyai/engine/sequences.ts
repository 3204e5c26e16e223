/** Instructions with two parts (And, Before and After), and the union type of all instructions. */
import type { Move } from "./codes.js";
import { type Action, Status, type Verifier } from "./instructions.js";
import type { World } from "./world.js";

type Part = Action | And;
export type Sequence = Before | After;
export type Instruction = Action | And | Sequence;

abstract class Pair<P extends Part> implements Verifier {
  aDone = false;
  bDone = false;

  constructor(
    readonly a: P,
    readonly b: P,
    readonly strict = false,
  ) {}

  abstract surface(): string;
  abstract verify(world: World, move: Move): Status;
  abstract clone(): Verifier;

  get navigations(): number {
    return this.a.navigations + this.b.navigations;
  }

  begin(world: World): void {
    this.aDone = false;
    this.bDone = false;
    this.a.begin(world);
    this.b.begin(world);
  }

  track(world: World): void {
    this.a.track(world);
    this.b.track(world);
  }

  protected withProgressOf<T extends Pair<P>>(this: T, { aDone, bDone }: Pair<P>): T {
    this.aDone = aDone;
    this.bDone = bDone;
    return this;
  }
}

/** Instruction to do both parts, in any order. */
export class And extends Pair<Action> {
  readonly type = "and";

  verify(world: World, move: Move): Status {
    this.aDone ||= this.a.verify(world, move) === Status.success;
    this.bDone ||= this.b.verify(world, move) === Status.success;
    return this.aDone && this.bDone ? Status.success : Status.continue;
  }

  surface(): string {
    return `${this.a.surface()} and ${this.b.surface()}`;
  }

  clone(): And {
    return new And(this.a.clone(), this.b.clone(), this.strict).withProgressOf(this);
  }
}

/** Instruction to do `a` before `b`. A strict instruction fails if `b` is done first. */
export class Before extends Pair<Part> {
  readonly type = "before";

  verify(world: World, move: Move): Status {
    if (!this.aDone) {
      const status = this.a.verify(world, move);
      this.aDone = status === Status.success;
      if (!this.aDone) return inTurn(status, this, this.b, world, move);
    }
    // The move that completes the first part may complete the second part too.
    const status = this.b.verify(world, move);
    this.bDone = status === Status.success;
    return status;
  }

  surface(): string {
    return `${this.a.surface()}, then ${this.b.surface()}`;
  }

  clone(): Before {
    return new Before(this.a.clone(), this.b.clone(), this.strict).withProgressOf(this);
  }
}

/** Instruction to do `a` after `b`. A strict instruction fails if `a` is done first. */
export class After extends Pair<Part> {
  readonly type = "after";

  verify(world: World, move: Move): Status {
    if (!this.bDone) {
      const status = this.b.verify(world, move);
      this.bDone = status === Status.success;
      if (!this.bDone) return inTurn(status, this, this.a, world, move);
    }
    const status = this.a.verify(world, move);
    this.aDone = status === Status.success;
    return status;
  }

  surface(): string {
    return `${this.a.surface()} after you ${this.b.surface()}`;
  }

  clone(): After {
    return new After(this.a.clone(), this.b.clone(), this.strict).withProgressOf(this);
  }
}

/**
 * Returns the status of a sequence whose first part is not done yet. A strict sequence fails if the second part is done
 * too early.
 */
function inTurn(first: Status, { strict }: Sequence, second: Part, world: World, move: Move): Status {
  if (first === Status.continue && strict && second.verify(world, move) === Status.success) return Status.failure;
  return first;
}
