/**
 * The available actions of a scene: the names in AgentGym's order, and the primitive moves of each action. A step needs
 * the names of all actions but the moves of only one, so the moves are computed on demand.
 */
import { DoorState, Kind, Move } from "../engine/codes.js";
import { colorOf, doorStateOf, type NameId, NumberedText, nameCount } from "./names.js";
import type { Scene, Thing } from "./scene.js";
import type { Seen } from "./seen.js";

const pickup = new NumberedText("pickup ");
const goTo = new NumberedText("go to ");
const goThrough = new NumberedText("go through ");
const toggleAndGoThrough = new NumberedText("toggle and go through ");

/** The moves of an action: a walk onto a square or to a pose that faces the square, followed by `moves`. */
interface Plan {
  readonly walk: "to" | "facing" | "none";
  readonly moves: readonly Move[];
}

const turnLeft: Plan = { walk: "none", moves: [Move.left] };
const turnRight: Plan = { walk: "none", moves: [Move.right] };
const moveForward: Plan = { walk: "none", moves: [Move.forward] };
const drop: Plan = { walk: "none", moves: [Move.drop] };
const toggle: Plan = { walk: "none", moves: [Move.toggle] };
const nothing: Plan = { walk: "none", moves: [] };
const walkTo: Plan = { walk: "to", moves: [] };
const walkFacing: Plan = { walk: "facing", moves: [] };
const walkAndPickup: Plan = { walk: "facing", moves: [Move.pickup] };
const walkAndToggle: Plan = { walk: "facing", moves: [Move.toggle, Move.forward] };

export class AvailableActions {
  /** Names of the available actions, in the order of the observation. */
  readonly names: string[] = [];
  private readonly plans: Plan[] = [];
  private readonly targets: number[] = [];
  /** Number of reachable objects of each name, counted anew for each verb. */
  private readonly reachable = new Uint8Array(nameCount);

  constructor(private readonly scene: Scene) {}

  /** Updates the list for the current scene. */
  list(seen: Seen): void {
    this.names.length = 0;
    this.plans.length = 0;
    this.targets.length = 0;
    this.add("turn left", turnLeft);
    this.add("turn right", turnRight);
    if (canMoveForward(this.scene)) this.add("move forward", moveForward);
    if (seen.carriedKind === 0) this.addPickups();
    else if (canDrop(seen)) this.add("drop", drop);
    this.addDoors(seen);
    this.addWalks();
    this.add("check available actions", nothing);
  }

  /** Returns the moves of an action, or undefined if the action is not available. */
  movesOf(name: string): readonly Move[] | undefined {
    const at = this.names.indexOf(name);
    if (at < 0) return undefined;
    const { walk, moves } = this.plans[at] as Plan;
    if (walk === "none") return moves;
    const target = this.targets[at] as number;
    const route = walk === "to" ? this.scene.board.routeTo(target) : this.scene.board.routeFacing(target);
    return [...route, ...moves];
  }

  private add(name: string, plan: Plan, target = 0): void {
    this.names.push(name);
    this.plans.push(plan);
    this.targets.push(target);
  }

  private addPickups(): void {
    const { scene } = this;
    this.reachable.fill(0);
    for (let at = 0; at < scene.count; at++) {
      const thing = scene.thing(at);
      if (doorStateOf(thing.name) === undefined) this.addNumbered(pickup, thing, walkAndPickup);
    }
  }

  private addWalks(): void {
    this.reachable.fill(0);
    for (let at = 0; at < this.scene.count; at++) this.addNumbered(goTo, this.scene.thing(at), walkFacing);
  }

  /**
   * Adds an action with a number. Only reachable objects are numbered, so an object may have a different number in the
   * description.
   */
  private addNumbered(text: NumberedText, { name, cell }: Thing, plan: Plan): void {
    if (!this.scene.board.isFaced(cell.square)) return;
    const number = (this.reachable[name] as number) + 1;
    this.reachable[name] = number;
    this.add(text.of(name, number), plan, cell.square);
  }

  private addDoors(seen: Seen): void {
    const { scene } = this;
    for (let at = 0; at < scene.count; at++) {
      const { name, number, cell } = scene.thing(at);
      const state = doorStateOf(name);
      if (state === undefined) continue;
      if (state === DoorState.open) {
        if (scene.board.isReached(cell.square)) this.add(goThrough.of(name, number), walkTo, cell.square);
      } else if ((state === DoorState.closed || hasKeyFor(name, seen)) && scene.board.isFaced(cell.square)) {
        this.add(toggleAndGoThrough.of(name, number), walkAndToggle, cell.square);
        if (cell.ahead === 1 && cell.right === 0) this.add("toggle", toggle);
      }
    }
  }
}

/** Whether "move forward" is offered. AgentGym checks only walls and boxes, not keys and balls. */
export function canMoveForward({ barrierKind, barrierDistance }: Scene): boolean {
  return barrierKind === 0 || barrierDistance > 1;
}

/** Offset in the view of the cell in front of the agent. */
const aheadOffset = (3 * 7 + 5) * 3;

/** Whether "drop" is offered. As in AgentGym, a door in front of the agent does not prevent it. */
export function canDrop({ view }: Seen): boolean {
  const kind = view[aheadOffset] as number;
  return kind !== Kind.wall && kind !== Kind.key && kind !== Kind.ball && kind !== Kind.box;
}

/** Whether the agent carries the key of a door. */
export function hasKeyFor(door: NameId, { carriedKind, carriedColor }: Seen): boolean {
  return carriedKind === Kind.key && carriedColor === colorOf(door);
}
