/** Pages of places and streets with their tags. */
import type { FC } from "hono/jsx";
import { atlas } from "../atlas/atlas.js";
import type { Way } from "../atlas/network.js";
import { fullName, labelOf, type Place, wayLabel, wayName } from "../atlas/place.js";
import { MapPage } from "./page.js";
import { fitted, viewOf } from "./view.js";

type Param = (name: string) => string | undefined;

export const PlacePage: FC<{ url: string; place: Place; param: Param }> = ({ url, place, param }) => {
  const { id, name, at, tags, kind } = place;
  const view = viewOf(param, () => fitted([at], kind === "town" ? 13 : 17));
  const full = fullName(place);
  return (
    <MapPage title={`Node: ${name} (${id})`} url={url} view={view} markers={[{ at, kind: "found" }]}>
      <h2>
        Node: {name} ({id})
      </h2>
      <p class="kind">{labelOf(place)}</p>
      <p>{full}</p>
      <p>
        Location:{" "}
        <a href={`/search?query=${at.join("%2C%20")}`}>
          {at[0]}, {at[1]}
        </a>
      </p>
      <p class="links">
        <a href={`/directions?${new URLSearchParams({ from: full })}`}>Directions from here</a>
        <a href={`/directions?${new URLSearchParams({ to: full })}`}>Directions to here</a>
      </p>
      <Tags tags={tags} />
    </MapPage>
  );
};

export const WayPage: FC<{ url: string; way: Way; param: Param }> = ({ url, way, param }) => {
  const { network, places } = atlas();
  const points = network.pointsOf(way);
  const along = places.filter(({ street }) => street === way).sort((one, other) => number(one) - number(other));
  const view = viewOf(param, () => fitted(points, 16));
  return (
    <MapPage title={`Way: ${way.name} (${way.id})`} url={url} view={view} line={points}>
      <h2>
        Way: {way.name} ({way.id})
      </h2>
      <p class="kind">{wayLabel(way)}</p>
      <p>{wayName(way)}</p>
      <Tags tags={wayTags(way)} />
      {along.length > 0 && <h3>Addresses</h3>}
      <ul>
        {along.map((place) => (
          <li>
            {place.houseNumber} <a href={`/node/${place.id}`}>{place.name}</a>
          </li>
        ))}
      </ul>
    </MapPage>
  );
};

function number({ houseNumber = 0 }: Place): number {
  return houseNumber;
}

const limits: Partial<Record<Way["highway"], string>> = { motorway: "110", primary: "80", residential: "30" };

function wayTags({ name, ref, highway, postcode, town }: Way): Map<string, string> {
  const limit = highway === "secondary" ? (town ? "50" : "60") : limits[highway];
  return new Map([
    ["highway", highway],
    ...(limit ? ([["maxspeed", limit]] as const) : []),
    ["name", name],
    ...(postcode ? ([["postal_code", postcode]] as const) : []),
    ...(ref ? ([["ref", ref]] as const) : []),
  ]);
}

const Tags: FC<{ tags: ReadonlyMap<string, string> }> = ({ tags }) => (
  <>
    <h3>Tags</h3>
    <table class="browse-tag-list">
      <tbody>
        {[...tags].map(([key, value]) => (
          <tr>
            <th scope="row">{key}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </>
);
