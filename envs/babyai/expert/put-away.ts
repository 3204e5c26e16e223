/** Chooses the cell in which the agent puts the carried object down on the way to another goal. */
import { DoorState, Kind, Move } from "../engine/codes.js";
import { nothing } from "../engine/objects.js";
import { closed } from "./field.js";
import type { Model } from "./model.js";
import type { Trip } from "./trip.js";

interface Found {
  pose: number;
  from: number;
  moves: readonly Move[];
}

export interface Task {
  readonly model: Model;
  readonly tolls: Int16Array;
  /** Cells that must stay empty. */
  readonly free: readonly number[];
  /** Trip that the agent makes afterwards, if any. */
  readonly trip?: Trip;
  /** Maximum number of extra moves to avoid a cell next to a door. */
  readonly doorside: number;
  /** Whether an empty cell is suitable. Default: every empty cell is. */
  readonly suits?: ((cell: number) => boolean) | undefined;
}

/** Returns the moves that put the object down with the smallest detour, or undefined if no cell is suitable. */
export function putAway({ model, tolls, free, trip, doorside, suits }: Task): Move[] | undefined {
  const { cells, steps } = model.world;
  const kept = new Set(free);
  const rings: Found[][] = [[{ pose: model.pose, from: -1, moves: [] }]];
  const found = new Map<number, Found>();
  let best: { pose: number; total: number } | undefined;
  for (let distance = 0; distance < rings.length; distance++) {
    if (best && best.total <= distance + 1) break;
    for (const reached of rings[distance] ?? []) {
      const { pose } = reached;
      if (found.has(pose)) continue;
      found.set(pose, reached);
      const ahead = (pose >> 2) + (steps[pose & 3] as number);
      if (cells[ahead] === nothing && !kept.has(ahead) && (suits?.(ahead) ?? true)) {
        const toll = isBesideDoor(model, ahead) ? doorside : 0;
        const total = distance + 1 + toll + (trip ? trip.field.distance(pose) : 0);
        if (total < (best?.total ?? Number.MAX_SAFE_INTEGER) && !trip?.leadsThrough(pose, ahead)) {
          best = { pose, total };
        }
      }
      for (const next of onward(model, tolls, pose)) {
        const at = distance + next.moves.length;
        if (found.has(next.pose)) continue;
        rings[at] ??= [];
        rings[at].push(next);
      }
    }
  }
  return best && [...movesTo(found, best.pose), Move.drop];
}

function isBesideDoor({ world }: Model, cell: number): boolean {
  return world.steps.some((step) => world.objects.kinds[world.cells[cell + step] as number] === Kind.door);
}

function onward({ world }: Model, tolls: Int16Array, pose: number): Found[] {
  const next: Found[] = [];
  const step = world.steps[pose & 3] as number;
  const ahead = (pose >> 2) + step;
  const object = world.cells[ahead] as number;
  const isDoor = world.objects.kinds[object] === Kind.door;
  const state = world.objects.states[object];
  if (object === nothing || (isDoor && state === DoorState.open)) {
    next.push({ pose: pose + (step << 2), from: pose, moves: [Move.forward] });
  } else if (isDoor && state === DoorState.closed && tolls[ahead] !== closed) {
    next.push({ pose: pose + (step << 2), from: pose, moves: [Move.toggle, Move.forward] });
  }
  next.push({ pose: (pose & ~3) | ((pose + 3) & 3), from: pose, moves: [Move.left] });
  next.push({ pose: (pose & ~3) | ((pose + 1) & 3), from: pose, moves: [Move.right] });
  return next;
}

function movesTo(found: ReadonlyMap<number, Found>, end: number): Move[] {
  const parts: (readonly Move[])[] = [];
  for (let at = found.get(end); at; at = found.get(at.from)) parts.push(at.moves);
  return parts.reverse().flat();
}
