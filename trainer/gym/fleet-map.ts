/** The gyms of a fleet and the episodes that each has, as `GET /v1/fleet` lists them. */
import type { components } from "../../openapi/gym.js";
import { isLoopback } from "../../server/formats/loopback.js";

type Fleet = components["schemas"]["Fleet"];
export type ListedGym = components["schemas"]["FleetGym"];

export class FleetMap {
  /** Address of the gym that has a shard, by shard. */
  private readonly owners: (string | undefined)[];

  constructor(private readonly fleet: Fleet) {
    this.owners = new Array(fleet.shards);
    for (const { address, shards } of fleet.gyms) {
      for (const [first, last] of shards as [number, number][]) this.owners.fill(address ?? undefined, first, last + 1);
    }
  }

  /** Whether the gym that was asked belongs to a fleet. Other gyms may join it later. */
  get isFleet(): boolean {
    return this.self?.address != null;
  }

  /** The gym that was asked. */
  get self(): ListedGym | undefined {
    return this.fleet.gyms.find(({ isSelf }) => isSelf);
  }

  /** Returns the address of the gym that has an episode, or undefined if no gym of the map has it. */
  ownerOf(episodeId: string): string | undefined {
    const key = /^ep-([0-9]+)-/.exec(episodeId)?.[1];
    return key === undefined ? undefined : this.owners[Number(key) % this.fleet.shards];
  }

  /** Returns the gym at an address. */
  gymAt(address: string): ListedGym | undefined {
    return this.fleet.gyms.find((gym) => gym.address === address);
  }

  /** Returns the addresses that a client of a gym at `url` may use. */
  addressesFor(url: string): string[] {
    return this.fleet.gyms.flatMap(({ address }) => (address !== null && isUsable(address, url) ? [address] : []));
  }

  /** Whether a gym can open an episode of an environment, such as `textcraft` or `textcraft@1`. */
  offers(address: string, environment: string): boolean {
    const gym = this.gymAt(address);
    if (!gym || gym.isDraining) return false;
    return gym.environments.some((id) => id === environment || id.startsWith(`${environment}@`));
  }

  /** Whether another map comes from the gym at an address of this map, and not from a server of another network there. */
  isConfirmedBy(other: FleetMap, address: string): boolean {
    const { self } = other;
    if (!self || self.address !== address || this.gymAt(address)?.incarnation !== self.incarnation) return false;
    const isShared = (gym: ListedGym) =>
      this.fleet.gyms.some((own) => own.incarnation === gym.incarnation && own.address === gym.address);
    const others = other.fleet.gyms.filter((gym) => !gym.isSelf);
    return others.length === 0 || others.some(isShared);
  }
}

/**
 * Whether a client that was given `url` may connect to an address. The token of an encrypted connection is not sent over
 * one without encryption. A loopback address of another machine is not that of this machine, and a loopback `url` may be a
 * tunnel: then the address may be another machine in the network of the client.
 */
function isUsable(address: string, url: string): boolean {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) return false;
  const [to, given] = [new URL(address), new URL(url)];
  if (/^(https|wss):$/.test(given.protocol) && to.protocol !== "https:") return false;
  return isLoopback(to.hostname) === isLoopback(given.hostname);
}
