/** The way to the nearest of some goals, with what is met there. */
import { DoorState, Kind, Move } from "../engine/codes.js";
import { nothing } from "../engine/objects.js";
import { Field, unreachable } from "./field.js";
import type { Model } from "./model.js";

export class Trip {
  readonly field: Field;
  /** From where it starts; `unreachable` where no way leads to a goal. */
  distance = 0;
  /** Up to the first obstacle. */
  moves: Move[] = [];
  /** How many moves it takes to have the first locked door open; undefined where there is none before the obstacle. */
  untilUnlocked: number | undefined;
  /** The cells of the way from the first obstacle on. */
  cells: number[] = [];
  /** What follows it. */
  next: Trip | undefined;
  /** The first cell where something has to be got out of the way. */
  obstacle: number | undefined;
  /** The pose in which it ends. */
  end = 0;

  /** @param hand what is carried on the way */
  constructor(
    private readonly model: Model,
    readonly tolls: Int16Array,
    private readonly hand: number,
  ) {
    this.field = new Field(tolls, model.world.steps);
  }

  /** The cell that is faced at the end. */
  get faced(): number {
    return (this.end >> 2) + (this.model.world.steps[this.end & 3] as number);
  }

  /**
   * Follows the field, which has grown that far.
   *
   * @param last the move at the end, which may meet an obstacle, too
   * @param lifted a cell whose object will have been picked up by then
   */
  goFrom(start: number, last?: Move, lifted?: number): void {
    this.distance = this.field.distance(start);
    this.end = start;
    if (this.distance >= unreachable) return;
    for (let move = this.field.moveFrom(start); move !== undefined; move = this.field.moveFrom(this.end)) {
      if (move === Move.forward) this.enter(this.faced, lifted);
      if (this.obstacle === undefined) this.moves.push(move);
      this.end = this.field.poseAfter(this.end, move);
    }
    if (this.obstacle === undefined && this.faced !== lifted && this.isHinderedAtEnd(last)) this.obstacle = this.faced;
    if (this.obstacle !== undefined) this.cells.push(this.faced);
  }

  /** Whether the way from a pose leads through a cell, or ends with facing it. */
  leadsThrough(start: number, cell: number): boolean {
    let pose = start;
    for (let move = this.field.moveFrom(pose); move !== undefined; move = this.field.moveFrom(pose)) {
      pose = this.field.poseAfter(pose, move);
      if (pose >> 2 === cell) return true;
    }
    if ((pose >> 2) + (this.model.world.steps[pose & 3] as number) === cell) return true;
    return this.next?.leadsThrough(pose, cell) ?? false;
  }

  private hinder(cell: number): void {
    this.obstacle = cell;
    this.cells.push(cell);
  }

  private enter(cell: number, lifted: number | undefined): void {
    if (this.obstacle !== undefined) this.cells.push(cell);
    const { model } = this;
    const object = model.objectAt(cell);
    if (this.obstacle !== undefined || object === nothing || cell === lifted) return;
    const { kinds, states } = model.world.objects;
    if (kinds[object] !== Kind.door || this.isShut(object)) this.hinder(cell);
    else if (states[object] !== DoorState.open) this.moves.push(Move.toggle);
    if (this.obstacle === undefined && states[object] === DoorState.locked) this.untilUnlocked ??= this.moves.length;
  }

  private isHinderedAtEnd(last: Move | undefined): boolean {
    const object = this.model.objectAt(this.faced);
    if (last === Move.drop) return object !== nothing;
    return last === Move.toggle && this.isShut(object);
  }

  /** Whether a door is locked and the thing in hand does not fit. */
  private isShut(door: number): boolean {
    return this.model.isLockedDoor(door) && !this.model.isKeyTo(door, this.hand);
  }
}
