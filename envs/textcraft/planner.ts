/**
 * The shortest plan for a goal: fewest crafts, then fewest gets. Branch and bound over the crafting graph.
 *
 * The graph has no cycles, so a plan is only a choice of how often to apply each recipe and which member meets each
 * need for a tag; any order from the bottom up carries it out. A name's whole need is known when the search reaches it,
 * what is in stock is used first, and every base item that falls short costs one get of any amount.
 */
import type { CraftingGraph, Node, Way } from "./crafting-graph.js";

export interface Plan {
  crafts: number;
  gets: number;
  /** The deepest craft: none of its ingredients has to be crafted any more. */
  next: Way;
  /** What is handed in for the ingredients of `next`, in their order: the ingredient, or the member for a tag. */
  nextInputs: string[];
  /** How many of each base item all crafts together use up. */
  baseNeeds: Map<string, number>;
}

/** A need for `count` of the same member of a tag, by one application of a recipe. */
interface TagNeed {
  count: number;
  way: Way;
  member: number;
}

export class Planner {
  private readonly need: number[];
  private readonly tagNeeds: TagNeed[][];
  /** Ways in use, in graph order: the last is the deepest. */
  private readonly chosen: Way[] = [];
  private best: Plan | undefined;

  /** @param stock how many of each name of the graph are there */
  constructor(
    private readonly graph: CraftingGraph,
    private readonly stock: readonly number[],
  ) {
    this.need = graph.map(() => 0);
    this.tagNeeds = graph.map(() => []);
  }

  /** The plan that crafts the first name of the graph once more, or undefined where it has no recipe. */
  plan(): Plan | undefined {
    this.cover(0, 0, 1, 0);
    return this.best;
  }

  /** Settles the names from `place` on, after `crafts` applications for those before it. */
  private settle(place: number, crafts: number): void {
    if (this.isNoBetter(place, crafts)) return;
    const node = this.graph[place];
    if (!node) this.record(crafts);
    else if (node.kind === "tag") this.assign(place, 0, crafts);
    else if (node.kind === "item") this.cover(place, 0, this.shortage(place), crafts);
    else this.settle(place + 1, crafts);
  }

  /** Makes `missing` of an item by its recipes from number `wayIndex` on, in every sensible mixture. */
  private cover(place: number, wayIndex: number, missing: number, crafts: number): void {
    if (missing <= 0) {
      this.settle(place + 1, crafts);
      return;
    }
    const ways = (this.graph[place] as Node).ways;
    const way = ways[wayIndex];
    if (!way) return;
    const enough = Math.ceil(missing / way.recipe.count);
    const least = wayIndex === ways.length - 1 ? enough : 0;
    for (let times = enough; times >= least; times--) {
      if (times > 0) this.apply(way, times);
      this.cover(place, wayIndex + 1, missing - times * way.recipe.count, crafts + times);
      if (times > 0) this.revert(way, times);
    }
  }

  private apply(way: Way, times: number): void {
    this.chosen.push(way);
    way.recipe.ingredients.forEach(({ isTag, count }, i) => {
      const place = way.inputs[i] as number;
      if (isTag) for (let t = 0; t < times; t++) this.tagNeeds[place]?.push({ count, way, member: -1 });
      else this.require(place, times * count);
    });
  }

  private revert(way: Way, times: number): void {
    this.chosen.pop();
    way.recipe.ingredients.forEach(({ isTag, count }, i) => {
      const place = way.inputs[i] as number;
      if (isTag) this.tagNeeds[place]?.splice(-times);
      else this.require(place, -times * count);
    });
  }

  /** Gives the needs for a tag from number `index` on to its members, in every way that is not a mere permutation. */
  private assign(place: number, index: number, crafts: number): void {
    const needs = this.tagNeeds[place] as TagNeed[];
    const tagNeed = needs[index];
    if (!tagNeed) {
      this.settle(place + 1, crafts);
      return;
    }
    if (this.isNoBetter(place, crafts)) return;
    const alike = needs.slice(0, index).findLast(({ count }) => count === tagNeed.count);
    const members = (this.graph[place] as Node).members;
    const triedTwins = new Set<string>();
    for (const member of members.slice(alike ? members.indexOf(alike.member) : 0)) {
      const twin = this.freshTwin(member);
      if (twin !== undefined && triedTwins.has(twin)) continue;
      if (twin !== undefined) triedTwins.add(twin);
      tagNeed.member = member;
      this.require(member, tagNeed.count);
      this.assign(place, index + 1, crafts);
      this.require(member, -tagNeed.count);
    }
  }

  /** The key of a member that still is as good as its twins. */
  private freshTwin(member: number): string | undefined {
    const { twin, ways } = this.graph[member] as Node;
    const isUnused = (place: number) => this.need[place] === 0 && this.stock[place] === 0;
    return twin !== undefined && isUnused(member) && ways[0]?.inputs.every(isUnused) ? twin : undefined;
  }

  private require(place: number, count: number): void {
    this.need[place] = (this.need[place] as number) + count;
  }

  private shortage(place: number): number {
    return Math.max(0, (this.need[place] as number) - (this.stock[place] as number));
  }

  /** Needs only grow on the way down, so what is short already is a lower bound of what is still to be done. */
  private isNoBetter(place: number, crafts: number): boolean {
    if (!this.best) return false;
    let leastCrafts = crafts;
    for (let p = place; p < this.graph.length; p++) {
      const biggest = this.graph[p]?.ways[0]?.recipe.count;
      if (biggest !== undefined) leastCrafts += Math.ceil(this.shortage(p) / biggest);
    }
    if (leastCrafts !== this.best.crafts) return leastCrafts > this.best.crafts;
    return this.basesShort() >= this.best.gets;
  }

  private basesShort(): number {
    return this.graph.filter(({ kind }, place) => kind === "base" && this.shortage(place) > 0).length;
  }

  private record(crafts: number): void {
    const next = this.chosen.at(-1) as Way;
    const nextInputs = next.inputs.map((place) => {
      const member = this.tagNeeds[place]?.find(({ way }) => way === next)?.member;
      return (this.graph[member ?? place] as Node).name;
    });
    const bases = this.graph.flatMap(({ name, kind }, place) =>
      kind === "base" ? [[name, this.need[place] as number] as const] : [],
    );
    this.best = { crafts, gets: this.basesShort(), next, nextInputs, baseNeeds: new Map(bases) };
  }
}
