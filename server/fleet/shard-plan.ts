/** The shards that a gym should give to other gyms of its fleet. */
import type { FleetMember, FleetState, ShardMove } from "../log/records/protocol.js";
import { shardCount } from "../log/records/shards.js";

/** Use of a shard by episodes in memory. A shard without such episodes has none. */
export interface ShardUse {
  /** Environments of the running episodes, as `id@version`. The next gym must have them. */
  environments: ReadonlySet<string>;
  /** Whether an episode would be lost, since its environment cannot be replayed. */
  isBound: boolean;
}

/** Number of shards that are planned at a time, and of those among them that are in use. */
const [mostMoves, mostBusy] = [512, 64];

/**
 * Returns some of the shards that this gym should give, and the gyms that should get them:
 * - shards that are pinned to another gym,
 * - all shards if this gym drains,
 * - shards above this gym's part, first those that no episode uses.
 *
 * A shard stays as long as no other gym can play its episodes.
 *
 * @param own shards of this gym
 */
export function planMoves(
  { incarnation, nodes, owners, pins }: Pick<FleetState, "incarnation" | "nodes" | "owners" | "pins">,
  own: readonly number[],
  useOf: ReadonlyMap<number, ShardUse>,
): ShardMove[] {
  const takers = nodes.filter((node) => node.incarnation !== incarnation && !node.isDraining);
  if (takers.length === 0) return [];
  const drains = nodes.some((node) => node.incarnation === incarnation && node.isDraining);
  const part = Math.ceil(shardCount / (takers.length + (drains ? 0 : 1)));
  const plan = new Plan(takers, owners, useOf);
  for (const shard of own) {
    const pinned = plan.takerOf(pins.get(shard));
    if (pinned) plan.add(shard, [pinned]);
  }
  const surplus = drains ? own.length : own.length - part;
  if (surplus <= plan.size) return plan.moves;
  const isFree = (shard: number) => !plan.has(shard) && (drains || pins.get(shard) !== incarnation);
  const idleFirst = [...own].filter(isFree).sort((a, b) => Number(useOf.has(a)) - Number(useOf.has(b)));
  for (const shard of idleFirst) {
    if (surplus <= plan.size || plan.isFull) break;
    const added = plan.add(shard, plan.below(part));
    if (!added && drains) plan.add(shard, takers);
  }
  return plan.moves;
}

class Plan {
  readonly moves: ShardMove[] = [];
  private readonly planned = new Set<number>();
  private readonly counts = new Map<number, number>();
  private busy = 0;

  constructor(
    private readonly takers: readonly FleetMember[],
    owners: readonly number[],
    private readonly useOf: ReadonlyMap<number, ShardUse>,
  ) {
    for (const owner of owners) this.counts.set(owner, (this.counts.get(owner) ?? 0) + 1);
  }

  get size(): number {
    return this.moves.length;
  }

  get isFull(): boolean {
    return this.size >= mostMoves;
  }

  has(shard: number): boolean {
    return this.planned.has(shard);
  }

  takerOf(incarnation: number | undefined): FleetMember | undefined {
    return this.takers.find((taker) => taker.incarnation === incarnation);
  }

  /** Returns the gyms that have fewer shards than their part. */
  below(part: number): FleetMember[] {
    return this.takers.filter(({ incarnation }) => this.countOf(incarnation) < part);
  }

  /** Plans a move to the gym with the fewest shards that can play the shard's episodes. Returns whether there is one. */
  add(shard: number, takers: readonly FleetMember[]): boolean {
    const use = this.useOf.get(shard);
    if (this.isFull || use?.isBound || (use && this.busy === mostBusy)) return false;
    const able = takers.filter(({ facts }) => !use || includesAll(facts?.environments ?? [], use.environments));
    const [first, ...others] = able;
    if (!first) return false;
    const { incarnation: to } = others.reduce(
      (best, taker) => (this.countOf(taker.incarnation) < this.countOf(best.incarnation) ? taker : best),
      first,
    );
    this.moves.push({ shard, to });
    this.planned.add(shard);
    this.counts.set(to, this.countOf(to) + 1);
    if (use) this.busy += 1;
    return true;
  }

  private countOf(incarnation: number): number {
    return this.counts.get(incarnation) ?? 0;
  }
}

function includesAll(all: readonly string[], some: ReadonlySet<string>): boolean {
  return [...some].every((each) => all.includes(each));
}
