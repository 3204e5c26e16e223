/**
 * A simple player, which plays a mission as a series of errands. The state and the player's taste determine the next
 * errand. A player first clears obstacles and then fetches an object, so that it need not put the object down again.
 */
import { DoorState, Kind, Move } from "../engine/codes.js";
import type { Action, GoTo, Open, Pickup, PutNext } from "../engine/instructions.js";
import { nothing } from "../engine/objects.js";
import { type Field, unreachable } from "./field.js";
import { actionsOf, type Model } from "./model.js";
import { putAway } from "./put-away.js";
import { type Taste, Tolls } from "./tolls.js";
import { Trip } from "./trip.js";

/** State of nested errands: doors whose keys are being fetched (`sealed`), and cells that must stay empty (`free`). */
interface Context {
  readonly sealed: readonly number[];
  readonly free: readonly number[];
}

/** Goal of a walk, and the last move after the walk. */
interface Aim {
  sow(field: Field): void;
  readonly last: Move | undefined;
  /** True if the agent must not carry an object for the last move. */
  readonly emptyHanded?: boolean;
}

export class Player {
  /** True as long as the player has cleared no obstacle and unlocked no door. */
  isUnhindered = true;
  private readonly tolls: Tolls;

  constructor(
    private readonly model: Model,
    private readonly taste: Taste,
  ) {
    this.tolls = new Tolls(model, taste);
  }

  /**
   * Returns the next walk together with the move after it, such as a pickup. Returns undefined if the player has no
   * plan.
   */
  errand(): Move[] | undefined {
    const context = { sealed: [], free: [] };
    const action = this.action();
    switch (action.type) {
      case "goto":
        return this.goTo(action, context);
      case "open":
        return this.open(action, context);
      case "pickup":
        return this.pickup(action, context);
      case "putnext":
        return this.putNext(action, context);
    }
  }

  private action(): Action {
    const { part, instruction } = this.model;
    const actions = actionsOf(part);
    const isSecond = (instruction.type === "before" || instruction.type === "after") && part === instruction.b;
    const bit = (this.taste.order >> (isSecond ? 1 : 0)) & 1;
    return (actions[bit] ?? actions[0]) as Action;
  }

  private goTo({ desc }: GoTo, context: Context): Move[] | undefined {
    const sow = (field: Field) => {
      for (const cell of desc.cells) field.sowFacing(cell);
    };
    const moves = this.travel({ sow, last: undefined }, context);
    if (moves?.length === 0) return this.lookAgain();
    // A carried object is in front of the agent after the agent puts the object down.
    const drop = desc.objects.includes(this.model.world.carried) ? this.putAway(context) : undefined;
    return drop && drop.length < (moves?.length ?? unreachable) ? drop : moves;
  }

  /** Returns moves that leave the agent facing the same object: the mission is checked only after a move. */
  private lookAgain(): Move[] {
    const { model } = this;
    const { objects, frontCell, carried } = model.world;
    const ahead = model.objectAt(frontCell);
    if (model.rules.togglesAll) return [Move.done];
    if (objects.kinds[ahead] === Kind.box && carried === nothing) return [Move.pickup];
    const isSolid = objects.kinds[ahead] === Kind.door ? objects.states[ahead] !== DoorState.open : ahead !== nothing;
    return isSolid && objects.kinds[ahead] !== Kind.box ? [Move.forward] : [Move.left, Move.right];
  }

  private open({ desc }: Open, context: Context): Move[] | undefined {
    const { model, taste } = this;
    const { cells, states } = model.world.objects;
    const sow = (field: Field) => {
      for (const door of desc.objects) {
        const cell = cells[door] as number;
        if (states[door] === DoorState.closed || model.isKeyTo(door, model.world.carried)) field.sowFacing(cell);
        else if (states[door] === DoorState.locked && model.hasKeyTo(door)) field.sowFacing(cell, taste.lock);
        else if (states[door] === DoorState.open && model.rules.togglesAll) field.sowFacing(cell, 1);
      }
    };
    return this.travel({ sow, last: Move.toggle }, context);
  }

  private pickup({ desc }: Pickup, context: Context): Move[] | undefined {
    const { model } = this;
    const { objects, carried } = model.world;
    if (desc.objects.includes(carried)) return this.putAway(context);
    const things = desc.objects.filter((object) => model.isMovable(object) && objects.cells[object] !== 0);
    return this.travel({ sow: this.facing(things), last: Move.pickup, emptyHanded: true }, context);
  }

  private putNext({ move, fixed }: PutNext, context: Context): Move[] | undefined {
    const { carried, objects } = this.model.world;
    if (move.objects.includes(carried)) return this.travel(this.placeNextTo(fixed.objects), context);
    const things = move.objects.filter((object) => objects.cells[object] !== 0);
    if (fixed.objects.every((object) => objects.cells[object] === 0)) return this.putDownFixed(things, context);
    if (!things.some((thing) => fixed.objects.includes(thing))) {
      return this.fetch(things, this.placeNextTo(fixed.objects), context).moves();
    }
    const fetches = things.map((thing) => {
      return this.fetch([thing], this.placeNextTo(fixed.objects.filter((object) => object !== thing)), context);
    });
    const nearest = fetches.reduce((best, fetch) => (fetch.distance < best.distance ? fetch : best));
    return nearest.moves();
  }

  /**
   * Puts down the carried object that others must be put next to. The cell is on the way to the object to move and has
   * an empty neighbor.
   */
  private putDownFixed(things: readonly number[], context: Context): Move[] | undefined {
    const { cells, steps } = this.model.world;
    const trip = this.trip({ sow: this.facing(things), last: Move.pickup }, context);
    const hasRoom = (cell: number) => steps.some((step) => cells[cell + step] === nothing);
    return this.handOver(trip, context.free, hasRoom);
  }

  /**
   * Returns the aim to drop an object in a cell next to a fixed object. If another object is in that cell, the player
   * must clear it away first.
   */
  private placeNextTo(fixed: readonly number[]): Aim {
    const { cells, objects, steps } = this.model.world;
    const sow = (field: Field) => {
      for (const object of fixed) {
        if (objects.cells[object] === 0) continue;
        for (const step of steps) {
          const cell = (objects.cells[object] as number) + step;
          if (cells[cell] === nothing) field.sowFacing(cell, 1);
          else if (this.tolls.isClearable(cells[cell] as number)) field.sowFacing(cell, 1 + this.taste.object);
        }
      }
    };
    return { sow, last: Move.drop };
  }

  /** Returns the walk to the goal and the last move or, if an obstacle is in the way, the moves that clear it. */
  private travel(aim: Aim, context: Context): Move[] | undefined {
    const trip = this.trip(aim, context);
    const { carried } = this.model.world;
    if (trip.distance >= unreachable) return undefined;
    if (trip.obstacle !== undefined) return this.clear(trip, trip.obstacle, context);
    if (aim.emptyHanded && carried !== nothing) return this.handOver(trip, context.free);
    return aim.last === undefined ? trip.moves : [...trip.moves, aim.last];
  }

  private trip({ sow, last }: Aim, { sealed }: Context): Trip {
    const { model } = this;
    const trip = new Trip(model, this.tolls.of(model.world.carried, sealed), model.world.carried);
    sow(trip.field);
    trip.field.grow(model.world.carried === nothing ? model.pose : undefined);
    trip.goFrom(model.pose, last);
    return trip;
  }

  /** Returns the moves that clear the first obstacle of a trip. The moves of the trip end in front of the obstacle. */
  private clear(trip: Trip, obstacle: number, context: Context): Move[] | undefined {
    const { model } = this;
    this.isUnhindered = false;
    const free = [...context.free, ...trip.cells];
    const object = model.objectAt(obstacle);
    if (model.isLockedDoor(object)) return this.unlock(object, { ...context, free });
    if (this.tolls.isToBeOpened(object)) return [...trip.moves, Move.toggle];
    if (model.world.carried !== nothing) return this.handOver(trip, context.free);
    return [...trip.moves, Move.pickup];
  }

  private facing(objects: readonly number[]) {
    return (field: Field) => {
      for (const object of objects) field.sowFacing(this.model.world.objects.cells[object] as number);
    };
  }

  /** Returns the moves that put the carried object down in the nearest suitable cell. */
  private putAway({ sealed, free }: Context): Move[] | undefined {
    const { model } = this;
    return putAway({ model, tolls: this.tolls.of(model.world.carried, sealed), free, doorside: this.taste.doorside });
  }

  /**
   * Returns the moves that put the carried object down. If the object is the key to a door on the way, the player opens
   * the door first.
   */
  private handOver(trip: Trip, free: readonly number[], suits?: (cell: number) => boolean): Move[] | undefined {
    if (trip.untilUnlocked !== undefined) return trip.moves.slice(0, trip.untilUnlocked);
    return putAway({ model: this.model, tolls: trip.tolls, free, trip, doorside: this.taste.doorside, suits });
  }

  private unlock(door: number, { sealed, free }: Context): Move[] | undefined {
    const { model } = this;
    const { carried, objects } = model.world;
    if (sealed.includes(door)) return undefined;
    const context = { sealed: [...sealed, door], free };
    const aim = { sow: this.facing([door]), last: Move.toggle };
    if (model.isKeyTo(door, carried)) return this.travel(aim, context);
    if (model.isKeyTo(door, objects.contents[carried] as number)) return this.putAway(context);
    const keys = model.keysTo(door);
    const moves = keys.length > 0 ? this.fetch(keys, aim, context).moves() : undefined;
    return moves ?? this.travel({ sow: this.facing(model.boxesWithKeyTo(door)), last: Move.toggle }, context);
  }

  /** Plans a walk that picks up one of several equal objects and continues to a later aim. */
  private fetch(things: readonly number[], aim: Aim, context: Context) {
    const { model, tolls } = this;
    const { carried, objects } = model.world;
    const beyond = new Trip(model, tolls.of(things[0] as number, context.sealed), things[0] as number);
    aim.sow(beyond.field);
    beyond.field.grow();
    const sow = (field: Field) => {
      for (const thing of things) this.sowPickup(field, objects.cells[thing] as number, beyond.field);
    };
    const trip = this.trip({ sow, last: Move.pickup }, context);
    const moves = (): Move[] | undefined => {
      if (trip.distance >= unreachable) return undefined;
      beyond.goFrom(trip.end, aim.last, trip.faced);
      trip.next = beyond;
      const after = { ...context, free: [...context.free, ...trip.cells, ...beyond.cells] };
      if (trip.obstacle !== undefined) return this.clear(trip, trip.obstacle, after);
      if (beyond.obstacle !== undefined) return this.clearAhead(trip, beyond.obstacle, after);
      if (carried !== nothing) return this.handOver(trip, context.free);
      return [...trip.moves, Move.pickup];
    };
    return { distance: trip.distance, moves };
  }

  /**
   * Returns the moves that clear an obstacle on the way that follows a pickup, before the agent picks the object up.
   */
  private clearAhead(trip: Trip, obstacle: number, context: Context): Move[] | undefined {
    const object = this.model.objectAt(obstacle);
    this.isUnhindered = false;
    if (this.model.isLockedDoor(object)) return this.unlock(object, context);
    if (this.model.world.carried !== nothing) return this.handOver(trip, context.free);
    const last = this.tolls.isToBeOpened(object) ? Move.toggle : Move.pickup;
    return this.travel({ sow: (field) => field.sowFacing(obstacle), last }, context);
  }

  /** Makes goals of the poses that face an object to pick up, each with the remaining distance from that pose. */
  private sowPickup(field: Field, cell: number, beyond: Field): void {
    this.model.world.steps.forEach((step, dir) => {
      const pose = ((cell - step) << 2) | dir;
      const rest = beyond.distance(pose);
      if (rest < unreachable) field.sow(pose, 1 + rest);
    });
  }
}
