/**
 * Graph of streets and roads. Its nodes are junctions, and its edges connect neighboring junctions. A way is a street
 * or road along several junctions.
 */
import type { Town } from "../../../seed/region.js";
import type { LatLon } from "./data.js";
import { distance } from "./geo.js";

export type Highway = "motorway" | "primary" | "secondary" | "tertiary" | "residential" | "pedestrian" | "footway";

export interface Way {
  id: number;
  name: string;
  /** Number of the road, such as `A1`, if the way is a road between towns. */
  ref?: string;
  highway: Highway;
  /** Town of the way, if the way is a street. */
  town?: Town;
  /** Postcode of the way, if the way is a street. */
  postcode?: string;
  /** Indexes of the way's junctions, in their order along the way. */
  junctions: readonly number[];
}

export interface Edge {
  from: number;
  to: number;
  way: Way;
  /** Length of the edge in meters. */
  length: number;
}

const firstWay = 31_200_417;
const wayStep = 1_361;

export class Network {
  readonly junctions: LatLon[] = [];
  readonly ways: Way[] = [];
  readonly edges: Edge[] = [];
  /** Indexes of the edges at each junction. */
  readonly edgesAt: number[][] = [];

  addJunction(at: LatLon): number {
    this.edgesAt.push([]);
    return this.junctions.push(at) - 1;
  }

  addWay(way: Omit<Way, "id">): Way {
    const added = { ...way, id: firstWay + this.ways.length * wayStep };
    this.ways.push(added);
    for (let at = 1; at < way.junctions.length; at++) {
      const [from, to] = [way.junctions[at - 1] as number, way.junctions[at] as number];
      const edge = this.edges.push({ from, to, way: added, length: distance(this.at(from), this.at(to)) }) - 1;
      this.edgesAt[from]?.push(edge);
      this.edgesAt[to]?.push(edge);
    }
    return added;
  }

  at(junction: number): LatLon {
    return this.junctions[junction] as LatLon;
  }

  pointsOf({ junctions }: Way): LatLon[] {
    return junctions.map((junction) => this.at(junction));
  }
}
