/** Places on the map, and the formats of their names and addresses. */
import type { Town } from "../../../seed/region.js";
import type { LatLon } from "./data.js";
import { type KindName, kinds } from "./kinds.js";
import type { Way } from "./network.js";

export interface Place {
  id: number;
  /** Kind of the place, or `town` for a whole town. */
  kind: KindName | "town";
  name: string;
  at: LatLon;
  town: Town;
  street?: Way;
  houseNumber?: number;
  /** Tags, sorted by key. */
  tags: ReadonlyMap<string, string>;
}

export const country = "Haldane";

/** Formats a place as `Kettle Café, 12, Quay Street, Port Alder, Alder Bay, HD10 3KT, Haldane`. */
export function fullName({ name, street, houseNumber, town, kind }: Place): string {
  const address = street ? [`${houseNumber}`, street.name] : [];
  const where = kind === "town" ? [town.district] : [town.name, town.district];
  return [name, ...address, ...where, ...(street?.postcode ? [street.postcode] : []), country].join(", ");
}

/** Formats a way as `Quay Street, Port Alder, Alder Bay, HD10 3KT, Haldane`, or as `Coast Road, A1, Haldane`. */
export function wayName({ name, ref, town, postcode }: Way): string {
  const where = town ? [town.name, town.district] : [];
  return [name, ...(ref ? [ref] : []), ...where, ...(postcode ? [postcode] : []), country].join(", ");
}

export function labelOf({ kind, town }: Place): string {
  if (kind === "town") return town.inhabitants > 100_000 ? "City" : "Town";
  return kinds[kind].label;
}

const labels: Record<Way["highway"], string> = {
  motorway: "Motorway",
  primary: "Primary Road",
  secondary: "Secondary Road",
  tertiary: "Tertiary Road",
  residential: "Residential Road",
  pedestrian: "Pedestrian Street",
  footway: "Footpath",
};

export function wayLabel({ highway }: Way): string {
  return labels[highway];
}
