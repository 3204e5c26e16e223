/** Finds the fastest route between two points by car, by bicycle or on foot, with Dijkstra's algorithm. */
import { atlas } from "./atlas.js";
import type { LatLon } from "./data.js";
import { bearing, between, nearestOn } from "./geo.js";
import { Heap } from "./heap.js";
import type { Edge, Highway, Way } from "./network.js";

export type Mode = "bike" | "car" | "foot";

/**
 * Speeds in kilometers per hour, by mode of travel and kind of road. Kinds of roads without a speed are closed to the
 * mode.
 */
const speeds: Record<Mode, Partial<Record<Highway, number>>> = {
  car: { motorway: 104, primary: 76, secondary: 58, tertiary: 34, residential: 26 },
  bike: { primary: 17, secondary: 17, tertiary: 16, residential: 15, pedestrian: 8, footway: 9 },
  foot: { primary: 5, secondary: 5, tertiary: 5, residential: 5, pedestrian: 5, footway: 5 },
};

/** Speeds on the main streets of towns in kilometers per hour. Traffic lights and crossings reduce these speeds. */
const townSpeed = { car: 38, bike: 16, foot: 5 };

export interface Leg {
  way: Way;
  /** Length in meters. */
  length: number;
  points: LatLon[];
}

export interface Route {
  /** Length in meters. */
  length: number;
  seconds: number;
  /** Legs of the route. Each leg is on one street or road. */
  legs: Leg[];
}

interface Snap {
  edge: number;
  share: number;
  point: LatLon;
}

/** @returns the fastest route, or undefined if no route exists */
export function routeBetween(from: LatLon, to: LatLon, mode: Mode): Route | undefined {
  const [start, end] = [snap(from, mode), snap(to, mode)];
  if (!start || !end) return undefined;
  if (start.edge === end.edge) return along(start, end, mode);
  const junctions = shortest(start, end, mode);
  return junctions && assembled(start, end, junctions, mode);
}

function metresPerSecond({ highway, town }: Way, mode: Mode): number | undefined {
  const speed = town && highway === "secondary" ? townSpeed[mode] : speeds[mode][highway];
  return speed === undefined ? undefined : speed / 3.6;
}

function seconds({ way, length }: Pick<Edge, "way" | "length">, mode: Mode): number {
  return length / (metresPerSecond(way, mode) ?? 0);
}

/** Returns the nearest point on a street or road that is open to the mode of travel. */
function snap(point: LatLon, mode: Mode): Snap | undefined {
  const { network } = atlas();
  let best: { edge: number; share: number; metres: number } | undefined;
  for (const [at, { from, to, way, length }] of network.edges.entries()) {
    if (speeds[mode][way.highway] === undefined || way.highway === "motorway") continue;
    if (best && Math.abs(network.at(from)[0] - point[0]) * 111_320 - length > best.metres) continue;
    const near = nearestOn(point, network.at(from), network.at(to));
    if (!best || near.metres < best.metres) best = { edge: at, ...near };
  }
  if (!best) return undefined;
  const { from, to } = network.edges[best.edge] as Edge;
  return { edge: best.edge, share: best.share, point: between(network.at(from), network.at(to), best.share) };
}

function along(start: Snap, end: Snap, mode: Mode): Route {
  const edge = atlas().network.edges[start.edge] as Edge;
  const length = Math.abs(start.share - end.share) * edge.length;
  return {
    length,
    seconds: seconds({ way: edge.way, length }, mode),
    legs: [{ way: edge.way, length, points: [start.point, end.point] }],
  };
}

/** Returns the junctions of the fastest route. */
function shortest(start: Snap, end: Snap, mode: Mode): number[] | undefined {
  const { network } = atlas();
  const first = network.edges[start.edge] as Edge;
  const last = network.edges[end.edge] as Edge;
  const best = new Float64Array(network.junctions.length).fill(Number.POSITIVE_INFINITY);
  const before = new Int32Array(network.junctions.length).fill(-1);
  const heap = new Heap();
  const reach = (junction: number, cost: number, from: number) => {
    if (cost >= (best[junction] as number)) return;
    best[junction] = cost;
    before[junction] = from;
    heap.push(junction, cost);
  };
  reach(first.from, seconds(first, mode) * start.share, -1);
  reach(first.to, seconds(first, mode) * (1 - start.share), -1);
  for (let next = heap.pop(); next; next = heap.pop()) {
    if (next.cost > (best[next.item] as number)) continue;
    if (next.cost > Math.min(best[last.from] as number, best[last.to] as number) + seconds(last, mode)) break;
    for (const at of network.edgesAt[next.item] ?? []) {
      const edge = network.edges[at] as Edge;
      if (speeds[mode][edge.way.highway] === undefined) continue;
      reach(edge.from === next.item ? edge.to : edge.from, next.cost + seconds(edge, mode), next.item);
    }
  }
  const byFrom = (best[last.from] as number) + seconds(last, mode) * end.share;
  const byTo = (best[last.to] as number) + seconds(last, mode) * (1 - end.share);
  if (!Number.isFinite(Math.min(byFrom, byTo))) return undefined;
  return pathTo(byFrom <= byTo ? last.from : last.to, before);
}

function pathTo(end: number, before: Int32Array): number[] {
  const path = [end];
  for (let at = before[end] as number; at >= 0; at = before[at] as number) path.unshift(at);
  return path;
}

function assembled(start: Snap, end: Snap, junctions: number[], mode: Mode): Route {
  const { network } = atlas();
  const first = network.edges[start.edge] as Edge;
  const last = network.edges[end.edge] as Edge;
  const [entry, exit] = [junctions[0] as number, junctions.at(-1) as number];
  const parts: Leg[] = [
    {
      way: first.way,
      points: [start.point, network.at(entry)],
      length: first.length * (entry === first.from ? start.share : 1 - start.share),
    },
  ];
  for (let at = 1; at < junctions.length; at++) {
    const [one, other] = [junctions[at - 1] as number, junctions[at] as number];
    const { way, length } = edgeBetween(one, other, mode);
    parts.push({ way, length, points: [network.at(one), network.at(other)] });
  }
  parts.push({
    way: last.way,
    points: [network.at(exit), end.point],
    length: last.length * (exit === last.from ? end.share : 1 - end.share),
  });
  return {
    length: parts.reduce((sum, { length }) => sum + length, 0),
    seconds: parts.reduce((sum, part) => sum + seconds(part, mode), 0),
    legs: merged(parts),
  };
}

/** Returns the fastest edge between two neighboring junctions. */
function edgeBetween(one: number, other: number, mode: Mode): Edge {
  const { network } = atlas();
  const open = (network.edgesAt[one] ?? [])
    .map((at) => network.edges[at] as Edge)
    .filter(({ from, to, way }) => (from === other || to === other) && metresPerSecond(way, mode) !== undefined);
  return open.reduce((best, edge) => (seconds(edge, mode) < seconds(best, mode) ? edge : best));
}

function merged(parts: readonly Leg[]): Leg[] {
  const legs: Leg[] = [];
  for (const { way, length, points } of parts) {
    if (length < 1) continue;
    const last = legs.at(-1);
    if (last && last.way.name === way.name) {
      last.length += length;
      last.points.push(...points.slice(1));
    } else legs.push({ way, length, points: [...points] });
  }
  return legs;
}

/** Returns the angle between two legs in degrees, which is positive for a turn to the right. */
export function turnBetween(one: Leg, other: Leg): number {
  const [before, at] = one.points.slice(-2) as [LatLon, LatLon];
  const [from, to] = other.points as [LatLon, LatLon];
  const turn = bearing(from, to) - bearing(before, at);
  return ((turn + 540) % 360) - 180;
}
