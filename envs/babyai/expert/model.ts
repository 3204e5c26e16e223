/** A copy of a level in which the expert tries moves: the grid and the mission, without view and text. */
import { DoorState, Kind, type Move, Move as moves } from "../engine/codes.js";
import type { Game } from "../engine/game.js";
import { type Action, Status } from "../engine/instructions.js";
import { firstObject, nothing } from "../engine/objects.js";
import type { And, Instruction } from "../engine/sequences.js";
import { World } from "../engine/world.js";

/** Limits of the action format. */
export interface Rules {
  /** False for AgentGym's text, which has no action that shuts a door or opens a box. */
  readonly togglesAll: boolean;
  /** False for AgentGym's server, where the mission continues after a failure. */
  readonly endsWithFailure: boolean;
}

export class Model {
  /** Whether the last move completed the mission. */
  isSolved = false;
  isLost = false;

  private constructor(
    readonly world: World,
    readonly instruction: Instruction,
    readonly rules: Rules,
  ) {}

  static of({ world, instruction }: Game, rules: Rules): Model {
    return new Model(copyOf(world), (instruction as Instruction).clone(), rules);
  }

  clone(): Model {
    return new Model(copyOf(this.world), this.instruction.clone(), this.rules);
  }

  /** Performs a move, as `Game.step` does. */
  step(move: Move): void {
    const { world, instruction } = this;
    world.apply(move);
    if (move === moves.drop) instruction.track(world);
    const status = instruction.verify(world, move);
    this.isSolved = status === Status.success;
    this.isLost = status === Status.failure && this.rules.endsWithFailure;
  }

  /** Bit mask of the completed parts of the mission. */
  get progress(): number {
    const { instruction } = this;
    if (instruction.type !== "before" && instruction.type !== "after") return progressOf(instruction);
    const { a, b, aDone, bDone } = instruction;
    return Number(aDone) | (Number(bDone) << 1) | (progressOf(a) << 2) | (progressOf(b) << 4);
  }

  /** The part of the mission that must be done now. */
  get part(): Action | And {
    const { instruction } = this;
    if (instruction.type === "before") return instruction.aDone ? instruction.b : instruction.a;
    if (instruction.type === "after") return instruction.bDone ? instruction.a : instruction.b;
    return instruction;
  }

  /** The part that must be done after `part`. */
  get laterPart(): Action | And | undefined {
    const { instruction } = this;
    if (instruction.type === "before" && !instruction.aDone) return instruction.b;
    if (instruction.type === "after" && !instruction.bDone) return instruction.a;
    return undefined;
  }

  /** Pose of the agent, as in field.ts. */
  get pose(): number {
    return (this.world.agentCell << 2) | this.world.agentDir;
  }

  /** Whether another model is in the same state, ignoring the agent's pose. */
  isLike({ world, progress }: Model): boolean {
    const { cells, objects, carried } = this.world;
    if (carried !== world.carried || progress !== this.progress) return false;
    return Buffer.compare(objects.states, world.objects.states) === 0 && Buffer.compare(cells, world.cells) === 0;
  }

  /** Returns the distance between the agents of two models. */
  distanceTo({ world }: Model): number {
    return Math.abs(world.agentX - this.world.agentX) + Math.abs(world.agentY - this.world.agentY);
  }

  objectAt(cell: number): number {
    return this.world.cells[cell] as number;
  }

  isMovable(object: number): boolean {
    const kind = this.world.objects.kinds[object] as number;
    return kind >= Kind.key && kind <= Kind.box;
  }

  isLockedDoor(object: number): boolean {
    const { kinds, states } = this.world.objects;
    return kinds[object] === Kind.door && states[object] === DoorState.locked;
  }

  /** Whether an object is the key to a locked door. */
  isKeyTo(door: number, thing: number): boolean {
    const { kinds, colors } = this.world.objects;
    return thing !== nothing && kinds[thing] === Kind.key && colors[thing] === colors[door];
  }

  /** Returns the keys to a locked door that are in a cell of the grid. */
  keysTo(door: number): number[] {
    return this.lying().filter((object) => this.isKeyTo(door, object));
  }

  /**
   * Returns the boxes that contain a key to a locked door. The list is empty if the action format cannot open boxes.
   */
  boxesWithKeyTo(door: number): number[] {
    const { contents } = this.world.objects;
    if (!this.rules.togglesAll) return [];
    return this.lying().filter((object) => this.isKeyTo(door, contents[object] as number));
  }

  /** Whether the agent can get a key to a locked door, possibly from a box. */
  hasKeyTo(door: number): boolean {
    const { carried, objects } = this.world;
    const inHand = [carried, this.rules.togglesAll ? (objects.contents[carried] as number) : nothing];
    if (inHand.some((thing) => this.isKeyTo(door, thing))) return true;
    return this.keysTo(door).length > 0 || this.boxesWithKeyTo(door).length > 0;
  }

  /** Returns all objects that are in a cell of the grid. */
  private lying(): number[] {
    const { cells, end } = this.world.objects;
    const objects: number[] = [];
    for (let object = firstObject; object < end; object++) if (cells[object] !== 0) objects.push(object);
    return objects;
  }
}

/** Returns the actions of a part that are not done yet. */
export function actionsOf(part: Action | And): Action[] {
  if (part.type !== "and") return [part];
  return [...(part.aDone ? [] : [part.a]), ...(part.bDone ? [] : [part.b])];
}

function progressOf(part: Action | And): number {
  return part.type === "and" ? Number(part.aDone) | (Number(part.bDone) << 1) : 0;
}

function copyOf(world: World): World {
  const copy = new World(world.width, world.height, world.roomSize);
  copy.copyFrom(world);
  return copy;
}
