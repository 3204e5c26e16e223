/** Tolls (costs) for entering each cell, which depend on the carried object and the preferences of a player. */
import { DoorState, Kind } from "../engine/codes.js";
import { nothing, wall } from "../engine/objects.js";
import { closed } from "./field.js";
import { actionsOf, type Model } from "./model.js";

/** Preferences of a player when several ways to complete the mission exist. */
export interface Taste {
  /**
   * Order of two actions that may be done in any order: bit 0 for the first part of the mission, bit 1 for the second.
   * A set bit means that the second action comes first.
   */
  readonly order: number;
  /** Maximum number of extra moves to walk around an object. */
  readonly object: number;
  /** Maximum number of extra moves to avoid a locked door whose key the agent does not carry. */
  readonly lock: number;
  /** Maximum number of extra moves to put an object down away from doors. */
  readonly doorside: number;
}

/**
 * Toll of a door that a later part of the mission must open. If the agent cannot shut doors, the mission is lost once
 * the door is open too early.
 */
const laterDoorToll = { togglesAll: 3, otherwise: 300 };

export class Tolls {
  private readonly laterDoors: ReadonlySet<number>;
  private readonly isOpeningStrict: boolean;
  private readonly isPickupStrict: boolean;

  constructor(
    private readonly model: Model,
    private readonly taste: Taste,
  ) {
    const strict = actionsOf(model.part).filter((action) => action.type !== "goto" && action.strict);
    this.isOpeningStrict = strict.some(({ type }) => type === "open");
    this.isPickupStrict = strict.some(({ type }) => type === "pickup");
    const later = model.laterPart ? actionsOf(model.laterPart) : [];
    this.laterDoors = new Set(later.flatMap((action) => (action.type === "open" ? action.desc.objects : [])));
  }

  /** Returns the toll of each cell. @param hand the carried object @param sealed doors that cannot be unlocked now */
  of(hand: number, sealed: readonly number[]): Int16Array {
    const { cells } = this.model.world;
    const tolls = new Int16Array(cells.length);
    for (let cell = 0; cell < cells.length; cell++) {
      const object = cells[cell] as number;
      if (object === nothing) tolls[cell] = 1;
      else if (object !== wall) tolls[cell] = this.toll(object, hand, sealed);
    }
    return tolls;
  }

  /** Whether the player can clear an object out of its way. */
  isClearable(object: number): boolean {
    if (!this.model.isMovable(object)) return false;
    return !this.isPickupStrict || this.isToBeOpened(object);
  }

  /** Whether a box is cleared by opening it: if a strict instruction forbids pickups, or if the box has content. */
  isToBeOpened(object: number): boolean {
    const { kinds, contents } = this.model.world.objects;
    if (!this.model.rules.togglesAll || kinds[object] !== Kind.box) return false;
    return this.isPickupStrict || contents[object] !== nothing;
  }

  private toll(object: number, hand: number, sealed: readonly number[]): number {
    const { kinds, states } = this.model.world.objects;
    if (kinds[object] !== Kind.door) return this.isClearable(object) ? 1 + this.taste.object : closed;
    if (states[object] === DoorState.open) return 1;
    if (this.isOpeningStrict) return closed;
    const later = this.laterDoors.has(object) ? this.laterToll : 0;
    if (states[object] === DoorState.closed || this.model.isKeyTo(object, hand)) return 2 + later;
    if (sealed.includes(object) || !this.model.hasKeyTo(object)) return closed;
    return 1 + this.taste.lock + later;
  }

  private get laterToll(): number {
    return this.model.rules.togglesAll ? laterDoorToll.togglesAll : laterDoorToll.otherwise;
  }
}
