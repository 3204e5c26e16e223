/** Generates the streets of a town: a distorted grid with gaps, footpaths and street names. */
import type { Random } from "../../../seed/random.js";
import type { Town } from "../../../seed/region.js";
import { type LatLon, names } from "./data.js";
import { distance, moved } from "./geo.js";
import type { Highway, Network } from "./network.js";

/** Junctions of a town, by row and column of the grid. Positions outside the town are undefined. */
type Grid = (number | undefined)[][];

/** Maximum length of a street in blocks of the grid. */
const longest = 7;

export class Streets {
  private readonly taken = new Set<string>();
  private count = 0;
  readonly junctions: number[] = [];

  constructor(
    private readonly network: Network,
    private readonly town: Town,
    private readonly random: Random,
  ) {
    const size = 6 + Math.floor(Math.sqrt(town.inhabitants) / 62);
    const grid = this.layGrid(size);
    const gaps = this.drawGaps(grid);
    const middle = Math.floor(size / 2);
    for (let line = 0; line < size; line++) {
      const along = (at: number) => grid[line]?.[at];
      const across = (at: number) => grid[at]?.[line];
      for (const cell of [along, across]) this.layLine(cell, size, this.classOf(Math.abs(line - middle)), gaps);
    }
    this.layShortCuts(grid, size);
  }

  /** Returns the junction of the town that is nearest to a point outside. */
  gate(point: LatLon): number {
    const [first = 0] = this.junctions;
    return this.junctions.reduce(
      (best, one) => (this.metres(one, point) < this.metres(best, point) ? one : best),
      first,
    );
  }

  private metres(junction: number, point: LatLon): number {
    return distance(this.network.at(junction), point);
  }

  private layGrid(size: number): Grid {
    const { latitude, longitude } = this.town;
    const angle = this.random.uniform(-0.6, 0.6);
    const spacing = this.random.between(165, 215);
    const half = (size - 1) / 2;
    return Array.from({ length: size }, (_, row) =>
      Array.from({ length: size }, (_, column) => {
        if (Math.hypot(row - half, column - half) > half + 0.6) return undefined;
        const x = (column - half + this.random.uniform(-0.2, 0.2)) * spacing;
        const y = (row - half + this.random.uniform(-0.2, 0.2)) * spacing;
        const [north, east] = [y * Math.cos(angle) - x * Math.sin(angle), y * Math.sin(angle) + x * Math.cos(angle)];
        const junction = this.network.addJunction(moved([latitude, longitude], north, east));
        this.junctions.push(junction);
        return junction;
      }),
    );
  }

  /** Draws the gaps in the grid. Each gap is a pair of junctions, written as `junction-junction`. */
  private drawGaps(grid: Grid): Set<string> {
    const gaps = new Set<string>();
    const touched = new Set<number>();
    const inner = grid
      .slice(1, -1)
      .flatMap((row, at) => row.slice(1, -1).map((one, to) => [one, at + 1, to + 1] as const));
    for (const [one, row, column] of inner) {
      const next = this.random.chance(0.5) ? grid[row]?.[column + 1] : grid[row + 1]?.[column];
      if (one === undefined || next === undefined || touched.has(one) || touched.has(next)) continue;
      if (!this.random.chance(0.16)) continue;
      gaps.add(`${one}-${next}`);
      touched.add(one).add(next);
    }
    return gaps;
  }

  private layLine(cell: (at: number) => number | undefined, size: number, highway: Highway, gaps: Set<string>): void {
    let run: number[] = [];
    for (let at = 0; at <= size; at++) {
      const junction = at < size ? cell(at) : undefined;
      const before = run.at(-1);
      const isGap = junction === undefined || (before !== undefined && gaps.has(`${before}-${junction}`));
      if (isGap || run.length > longest) {
        this.layStreet(run, highway);
        // A street of full length ends at a junction. The next street begins at the same junction.
        run = !isGap && before !== undefined ? [before] : [];
      }
      if (junction !== undefined) run.push(junction);
    }
  }

  private layStreet(junctions: number[], highway: Highway): void {
    if (junctions.length < 2) return;
    const isShort = junctions.length <= 4 && highway === "residential" && this.random.chance(0.12);
    const name = this.draw(highway);
    this.network.addWay({
      name,
      junctions,
      town: this.town,
      postcode: this.nextPostcode(),
      highway: isShort ? "pedestrian" : highway,
    });
  }

  private layShortCuts(grid: Grid, size: number): void {
    for (let row = 0; row + 1 < size; row++) {
      for (let column = 0; column + 1 < size; column++) {
        const [one, other] = [grid[row]?.[column], grid[row + 1]?.[column + 1]];
        if (one === undefined || other === undefined || !this.random.chance(0.07)) continue;
        const name = this.draw("footway");
        this.network.addWay({
          name,
          junctions: [one, other],
          town: this.town,
          postcode: this.nextPostcode(),
          highway: "footway",
        });
      }
    }
  }

  private classOf(fromMiddle: number): Highway {
    if (fromMiddle === 0) return "secondary";
    return fromMiddle % 3 === 0 ? "tertiary" : "residential";
  }

  /** Draws a street name that is unique in the town. */
  private draw(highway: Highway): string {
    const main = names.mainStreets.find((name) => !this.taken.has(name));
    if (main && (highway === "secondary" || (highway === "tertiary" && this.random.chance(0.5))))
      return this.take(main);
    for (;;) {
      const type =
        highway === "footway" ? this.random.choice(["Path", "Alley", "Steps"]) : this.random.choice(names.streetTypes);
      const name = `${this.random.choice(names.streetNames)} ${type}`;
      if (!this.taken.has(name)) return this.take(name);
    }
  }

  private take(name: string): string {
    this.taken.add(name);
    return name;
  }

  /** Returns the next postcode, such as `HD10 3KT`. Each street has its own postcode. */
  private nextPostcode(): string {
    const letters = "ABDEFGHJLNPQRSTUWXYZ";
    const at = this.count * 7 + 3;
    this.count += 1;
    const [first, second] = [letters[at % 20], letters[(Math.floor(at / 20) * 3 + at) % 20]];
    return `HD${this.town.postcode} ${1 + (Math.floor(at / 20) % 9)}${first}${second}`;
  }
}
