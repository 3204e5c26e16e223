/** The front page, the help page and the copyright page. */
import type { FC } from "hono/jsx";
import { towns } from "../../../seed/region.js";
import { atlas } from "../atlas/atlas.js";
import { kinds } from "../atlas/kinds.js";
import { MapPage } from "./page.js";
import type { View } from "./view.js";

interface Props {
  url: string;
  view: View;
}

export const Home: FC<Props> = ({ url, view }) => (
  <MapPage title="OpenHaldaneMap" url={url} view={view}>
    <h2>Welcome to OpenHaldaneMap!</h2>
    <p>
      A map of Haldane, made by its inhabitants: {atlas().places.length} places in {towns.length} towns.
    </p>
    <p>
      Search for a name or an address, or for a kind of place, such as <em>cafes near Harrow Hill Station</em>.
    </p>
    <ul class="shortcuts">
      <li>
        <a href="/directions">Find a route</a>
      </li>
      <li>
        <a href="/help">Search tips</a>
      </li>
    </ul>
  </MapPage>
);

export const Help: FC<Props> = ({ url, view }) => (
  <MapPage title="Help" url={url} view={view}>
    <h2>Help</h2>
    <h3>Search</h3>
    <ul>
      <li>A name: Harrow Hill Observatory Museum</li>
      <li>A name and a town: Greenstall, Marlowe</li>
      <li>An address or a postcode</li>
      <li>Kinds of places in a town: pharmacies in Venn</li>
      <li>Kinds of places by distance: hotels near Wexley Station</li>
      <li>Coordinates: 44.62, -63.58</li>
    </ul>
    <h3>Kinds of places</h3>
    <p>
      {Object.values(kinds)
        .map(({ label }) => label)
        .join(", ")}
    </p>
    <h3>Directions</h3>
    <p>Enter a start and an end, choose between bicycle, car and foot, and press Go.</p>
  </MapPage>
);

export const Copyright: FC<Props> = ({ url, view }) => (
  <MapPage title="Copyright and License" url={url} view={view}>
    <h2>Copyright and License</h2>
    <p>
      The data of OpenHaldaneMap are free. You may copy and adapt them as long as you name the map and its contributors.
    </p>
  </MapPage>
);

export const NotFound: FC<Props & { what: string }> = ({ url, view, what }) => (
  <MapPage title="Not found" url={url} view={view}>
    <h2>Not found</h2>
    <p role="alert">Sorry, {what} could not be found.</p>
  </MapPage>
);
