/** Worlds drawn with characters, for tests that need a small one. */
import { Color, DoorState, Kind } from "#palestra/envs/babyai/engine/codes.js";
import { nothing, wall } from "#palestra/envs/babyai/engine/objects.js";
import { World } from "#palestra/envs/babyai/engine/world.js";

/** Letters of kinds: upper case is red, lower case is blue. Doors: `O o` open, `D d` closed, `L l` locked. */
const objects: Record<string, [kind: Kind, state: number]> = {
  k: [Kind.key, 0],
  b: [Kind.ball, 0],
  x: [Kind.box, 0],
  o: [Kind.door, DoorState.open],
  d: [Kind.door, DoorState.closed],
  l: [Kind.door, DoorState.locked],
};
const agents = ">v<^";

/**
 * Makes a world from a drawing, by rows from the top: `#` a wall, `.` empty, `> v < ^` the agent.
 *
 * @param roomSize side of a room. Default: the side of the drawing
 */
export function draw(rows: readonly string[], roomSize = rows.length): World {
  const world = new World(rows[0]?.length ?? 0, rows.length, roomSize);
  rows.forEach((row, y) => {
    [...row].forEach((character, x) => {
      world.put(objectOf(world, character, x, y), world.cellAt(x, y));
    });
  });
  return world;
}

function objectOf(world: World, character: string, x: number, y: number): number {
  if (character === "#") return wall;
  if (agents.includes(character)) {
    world.agentX = x;
    world.agentY = y;
    world.agentDir = agents.indexOf(character);
  }
  const drawn = objects[character.toLowerCase()];
  if (!drawn) return nothing;
  const [kind, state] = drawn;
  return world.objects.add(kind, character === character.toUpperCase() ? Color.red : Color.blue, state);
}

/** Draws a world, with `*` for the agent on an open door. */
export function drawing(world: World): string[] {
  const rows = Array.from({ length: world.height }, (_, y) =>
    Array.from({ length: world.width }, (_, x) => characterAt(world, x, y)).join(""),
  );
  return rows;
}

function characterAt(world: World, x: number, y: number): string {
  const object = world.objectAt(x, y);
  if (x === world.agentX && y === world.agentY) return object === nothing ? (agents[world.agentDir] as string) : "*";
  if (object === nothing) return ".";
  if (object === wall) return "#";
  const { kinds, colors, states } = world.objects;
  const [letter = "?"] =
    Object.entries(objects).find(([, [kind, state]]) => kind === kinds[object] && state === states[object]) ?? [];
  return colors[object] === Color.red ? letter.toUpperCase() : letter;
}
