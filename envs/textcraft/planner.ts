/**
 * The shortest plan for a goal (fewest crafts, then fewest gets), found by branch and bound over the crafting graph.
 *
 * Since the graph has no cycles, a plan consists of a count for each recipe and a chosen member for each need of a tag;
 * the crafts are performed from the ingredients up. When the search reaches a name, its total need is known. Stock is
 * used first. A missing base item costs one `get`, whatever the amount.
 */
import type { CraftingGraph, Node, Way } from "./crafting-graph.js";

export interface Plan {
  crafts: number;
  gets: number;
  /** The craft to perform first: all its ingredients are in stock or can be obtained with `get`. */
  next: Way;
  /** Items for the ingredients of `next`, in the order of the recipe. For a tag, the item is the chosen member. */
  nextInputs: string[];
  /** Total amount of each base item that the crafts of the plan use. */
  baseNeeds: Map<string, number>;
}

/** Need of one application of a recipe for `count` pieces of one member of a tag. */
interface TagNeed {
  count: number;
  way: Way;
  member: number;
}

export class Planner {
  private readonly need: number[];
  private readonly tagNeeds: TagNeed[][];
  /** Recipes of the current partial plan, in the order of the graph. */
  private readonly chosen: Way[] = [];
  private best: Plan | undefined;

  /** @param stock amount in stock, by index in the graph */
  constructor(
    private readonly graph: CraftingGraph,
    private readonly stock: readonly number[],
  ) {
    this.need = graph.map(() => 0);
    this.tagNeeds = graph.map(() => []);
  }

  /**
   * Returns a plan to craft one more piece of the goal, which is the first name of the graph, or undefined if it has no
   * recipe.
   */
  plan(): Plan | undefined {
    this.cover(0, 0, 1, 0);
    return this.best;
  }

  /** Searches the choices for the names from index `place` on. @param crafts number of crafts for the names before */
  private settle(place: number, crafts: number): void {
    if (this.isNoBetter(place, crafts)) return;
    const node = this.graph[place];
    if (!node) this.record(crafts);
    else if (node.kind === "tag") this.assign(place, 0, crafts);
    else if (node.kind === "item") this.cover(place, 0, this.shortage(place), crafts);
    else this.settle(place + 1, crafts);
  }

  /**
   * Tries all ways to craft `missing` pieces of an item with the recipes from index `wayIndex` on, without superfluous
   * crafts.
   */
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

  /**
   * Tries all assignments of members to the needs of a tag from `index` on. Permutations of earlier assignments are
   * skipped.
   */
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

  /** Returns the twin key of a member, or undefined if the member is no longer interchangeable with its twins. */
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

  /**
   * Prunes the search: whether the current partial plan cannot become better than the best plan. Needs only grow, so
   * the current shortages give a lower bound for the remaining crafts and gets.
   */
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
