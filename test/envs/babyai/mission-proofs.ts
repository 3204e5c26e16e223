/** Proofs that a mission is impossible, by rules that are independent of the expert. */
import { DoorState, Kind } from "#palestra/envs/babyai/engine/codes.js";
import type { Descriptor } from "#palestra/envs/babyai/engine/descriptor.js";
import type { Game } from "#palestra/envs/babyai/engine/game.js";
import type { Action } from "#palestra/envs/babyai/engine/instructions.js";
import { firstObject, nothing, wall } from "#palestra/envs/babyai/engine/objects.js";
import type { Instruction } from "#palestra/envs/babyai/engine/sequences.js";
import type { World } from "#palestra/envs/babyai/engine/world.js";

/**
 * Returns the reason why a mission is impossible, or undefined if none is known. Text has no action to shut a door or
 * to open a box.
 */
export function impossibility({ instruction, world }: Game, isText: boolean): string | undefined {
  if (!instruction) return undefined;
  const [first, second] = inTurn(instruction);
  if (second?.type === "open" && second.strict) return "what opens the first door is a wrong toggle for the second";
  const isStrict = instruction.type === "pickup" && instruction.strict;
  const reached = flood(world, { isText, isStrict, kept: nothing });
  const isLost = ({ objects }: Descriptor) => objects.every((object) => !isAtHand(world, reached, object));
  if (wanted(instruction).some(isLost)) return "out of reach, as behind a locked door whose keys are there, too";
  const { states, colors } = world.objects;
  const keys = coloursOfKeys(world, reached, !isText);
  const isLocked = (door: number) => states[door] === DoorState.locked && !keys.has(colors[door] as number);
  if (doorsToOpen(instruction).some((doors) => doors.every(isLocked))) return "no key to the door can be got";
  if (!isText) return undefined;
  const isOpen = (door: number) => states[door] === DoorState.open;
  if (doorsToOpen(instruction).some((doors) => doors.every((door) => isOpen(door) || isLocked(door)))) {
    return "the door is open, and cannot be opened again";
  }
  for (const doors of second ? doorsToOpen(second) : []) {
    const isInTheWay = (door: number) => {
      const before = flood(world, { isText, isStrict, kept: door });
      return wanted(first).some(({ objects }) => objects.every((object) => !isAtHand(world, before, object)));
    };
    if (doors.every((door) => isOpen(door) || isInTheWay(door)))
      return "the way leads through a door to be opened later";
  }
  return undefined;
}

/** Returns the part to do first, and the part after it if that part is not done yet. */
function inTurn(instruction: Instruction): [Instruction, Instruction?] {
  if (instruction.type === "before") return instruction.aDone ? [instruction.b] : [instruction.a, instruction.b];
  if (instruction.type === "after") return instruction.bDone ? [instruction.a] : [instruction.b, instruction.a];
  return [instruction];
}

function actionsOf(instruction: Instruction): Action[] {
  return "a" in instruction ? [...actionsOf(instruction.a), ...actionsOf(instruction.b)] : [instruction];
}

function wanted(instruction: Instruction): Descriptor[] {
  return actionsOf(instruction).flatMap((action) => ("desc" in action ? [action.desc] : [action.move, action.fixed]));
}

function doorsToOpen(instruction: Instruction): number[][] {
  return actionsOf(instruction).flatMap((action) => (action.type === "open" ? [action.desc.objects] : []));
}

function isAtHand({ carried, objects }: World, reached: Uint8Array, object: number): boolean {
  return object === carried || reached[objects.cells[object] as number] === 1;
}

interface Rules {
  isText: boolean;
  /** True if the agent may not pick up objects to clear its way. */
  isStrict: boolean;
  /** A door that must stay shut. */
  kept: number;
}

/** Returns the cells that the agent can reach or face, with all keys that it finds. */
function flood(world: World, rules: Rules): Uint8Array {
  let reached: Uint8Array = new Uint8Array(world.cells.length);
  for (let keys = -1; keys < coloursOfKeys(world, reached, !rules.isText).size; ) {
    const colours = coloursOfKeys(world, reached, !rules.isText);
    keys = colours.size;
    reached = floodWith(world, rules, colours);
  }
  return reached;
}

function coloursOfKeys(world: World, reached: Uint8Array, opensBoxes = false): Set<number> {
  const { kinds, colors, contents, end } = world.objects;
  const keys = new Set<number>();
  for (let object = firstObject; object < end; object++) {
    if (!isAtHand(world, reached, object)) continue;
    for (const thing of opensBoxes ? [object, contents[object] as number] : [object]) {
      if (kinds[thing] === Kind.key) keys.add(colors[thing] as number);
    }
  }
  return keys;
}

function floodWith(world: World, rules: Rules, keys: ReadonlySet<number>): Uint8Array {
  const { cells, steps, agentCell } = world;
  const reached = new Uint8Array(cells.length);
  reached[agentCell] = 1;
  const queue = [agentCell];
  for (const cell of queue) {
    for (const next of steps.map((step) => cell + step)) {
      if (cells[next] === wall || reached[next] === 1) continue;
      reached[next] = 1;
      if (canPass(world, cells[next] as number, rules, keys)) queue.push(next);
    }
  }
  return reached;
}

function canPass({ objects }: World, object: number, { isText, isStrict, kept }: Rules, keys: ReadonlySet<number>) {
  const { kinds, states, colors } = objects;
  if (object === nothing) return true;
  if (kinds[object] !== Kind.door) return !isStrict || (kinds[object] === Kind.box && !isText);
  if (object === kept) return false;
  return states[object] !== DoorState.locked || keys.has(colors[object] as number);
}
