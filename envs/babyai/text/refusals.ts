/**
 * The reasons why actions are not available, with AgentGym's rules and words. Few steps need a reason, so reasons are
 * computed on demand.
 */
import { DoorState, Kind } from "../engine/codes.js";
import { canDrop, canMoveForward, hasKeyFor } from "./available-actions.js";
import { doorStateOf, nameOf } from "./names.js";
import type { Scene, Thing } from "./scene.js";
import type { Seen } from "./seen.js";

const noPath = "as there is no path leading to it.";

/**
 * Returns the reason for each refused action. The map may also contain available actions, whose reasons are not used.
 */
export function refusals(scene: Scene, seen: Seen): Map<string, string> {
  const reasons = new Map<string, string>();
  if (!canMoveForward(scene)) {
    reasons.set("move forward", "There is a barrier in front of you, you can't move forward.");
  }
  const things = Array.from({ length: scene.count }, (_, at) => scene.thing(at));
  if (seen.carriedKind === 0) {
    refuseWalks(
      "pickup",
      things.filter(({ name }) => doorStateOf(name) === undefined),
    );
    reasons.set("drop", "You cannot drop the object, as you are not carrying anything.");
  } else if (!canDrop(seen)) {
    reasons.set("drop", "You cannot drop the object, as there is already an object in front of you.");
  }
  refuseDoors(scene, seen, reasons);
  refuseWalks("go to", things);
  return reasons;

  /**
   * Adds a reason for each unreachable object. Its number follows the number of the last reachable object of that name.
   */
  function refuseWalks(verb: string, targets: readonly Thing[]): void {
    const reachable = new Map<number, number>();
    for (const { name, cell } of targets) {
      const number = (reachable.get(name) ?? 0) + 1;
      if (scene.board.isFaced(cell.square)) {
        reachable.set(name, number);
      } else {
        const action = `${verb} ${nameOf(name)} ${number}`;
        reasons.set(action, `You cannot ${action}, ${noPath}`);
      }
    }
  }
}

function refuseDoors(scene: Scene, seen: Seen, reasons: Map<string, string>): void {
  const counts = new Map<string, number>();
  for (let at = 0; at < scene.count; at++) {
    const { name, number, cell } = scene.thing(at);
    const state = doorStateOf(name);
    if (state === undefined) continue;
    counts.set(nameOf(name), number);
    const door = `${nameOf(name)} ${number}`;
    if (state === DoorState.open) {
      if (!scene.board.isReached(cell.square))
        reasons.set(`go through ${door}`, `You cannot go through ${door}, ${noPath}`);
      continue;
    }
    const action = `toggle and go through ${door}`;
    if (state === DoorState.closed) {
      reasons.set(`go through ${door}`, `You cannot go through ${door}, as it is closed. You should toggle it first.`);
    } else if (!hasKeyFor(name, seen)) {
      reasons.set(action, `You cannot ${action}, as ${keyLacking(seen)}`);
      continue;
    }
    // By mistake, AgentGym prints the table of numbers instead of the number of the door.
    if (!scene.board.isFaced(cell.square)) {
      reasons.set(action, `You cannot toggle and go through ${nameOf(name)} ${dictionary(counts)}, ${noPath}`);
    }
  }
}

function keyLacking({ carriedKind }: Seen): string {
  if (carriedKind !== Kind.key) return "you are not carrying a key.";
  return "the color of the key you are carrying does not match the color of door.";
}

/** Formats a map as Python prints a dict with string keys and integer values. */
function dictionary(counts: Map<string, number>): string {
  return `{${[...counts].map(([name, count]) => `'${name}': ${count}`).join(", ")}}`;
}
