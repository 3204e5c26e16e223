/** The path to the nearest of several goals, with the obstacles on the path. */
import { DoorState, Kind, Move } from "../engine/codes.js";
import { nothing } from "../engine/objects.js";
import { Field, unreachable } from "./field.js";
import type { Model } from "./model.js";

export class Trip {
  readonly field: Field;
  /** Distance from the start; `unreachable` if no path leads to a goal. */
  distance = 0;
  /** Moves from the start to the first obstacle, or to the end. */
  moves: Move[] = [];
  /**
   * Number of moves until the first locked door is open. Undefined if the path has no locked door before the obstacle.
   */
  untilUnlocked: number | undefined;
  /** Cells of the path, starting at the first obstacle. */
  cells: number[] = [];
  /** The trip that follows. */
  next: Trip | undefined;
  /** First cell with an obstacle that must be cleared away. */
  obstacle: number | undefined;
  /** Pose at the end of the trip. */
  end = 0;

  /** @param hand the object that the agent carries on the trip */
  constructor(
    private readonly model: Model,
    readonly tolls: Int16Array,
    private readonly hand: number,
  ) {
    this.field = new Field(tolls, model.world.steps);
  }

  /** The cell that the agent faces at the end of the trip. */
  get faced(): number {
    return (this.end >> 2) + (this.model.world.steps[this.end & 3] as number);
  }

  /**
   * Follows the shortest path of the field from a pose.
   *
   * @param last the move at the end, for which an obstacle may have to be cleared too
   * @param lifted a cell whose object the agent picks up before this trip
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

  /** Whether the path from a pose leads through a cell, or ends in front of the cell. */
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

  /** Whether a door is locked and the carried object is not its key. */
  private isShut(door: number): boolean {
    return this.model.isLockedDoor(door) && !this.model.isKeyTo(door, this.hand);
  }
}
