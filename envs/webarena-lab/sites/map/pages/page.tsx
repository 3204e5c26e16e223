/** The frame of the map's pages: the top bar, the sidebar with the forms, and the drawing. */
import type { FC, PropsWithChildren } from "hono/jsx";
import { Document } from "../../document.js";
import { Drawing, type Drawn } from "./drawing.js";
import { leastZoom, mostZoom, shifted, type View } from "./view.js";

export interface Engine {
  value: string;
  label: string;
}

export const engines: readonly Engine[] = [
  { value: "fossgis_osrm_bike", label: "Bicycle (OSRM)" },
  { value: "fossgis_osrm_car", label: "Car (OSRM)" },
  { value: "fossgis_osrm_foot", label: "Foot (OSRM)" },
];

export const usualEngine = "fossgis_osrm_car";

export interface RouteForm {
  from: string;
  to: string;
  engine: string;
}

interface PageProps extends Drawn {
  title: string;
  /** Address of the page. The page's view of the map can be moved. */
  url: string;
  /** Text of the search field. */
  query?: string;
  /** Directions form, shown instead of the search field. */
  route?: RouteForm;
}

export const MapPage: FC<PropsWithChildren<PageProps>> = ({ title, url, query = "", route, children, ...drawn }) => (
  <Document site="map" title={title}>
    <header>
      <a class="brand" href="/">
        OpenHaldaneMap
      </a>
      <nav aria-label="Site">
        <a href="/copyright">Copyright</a>
        <a href="/help">Help</a>
      </nav>
    </header>
    <div id="content">
      <div id="sidebar">
        <div class="search_forms">
          {route ? <DirectionsForm {...route} /> : <SearchForm query={query} view={drawn.view} />}
        </div>
        <div id="sidebar_content">{children}</div>
      </div>
      <div id="map">
        <Drawing {...drawn} label={`Map: ${title}`} />
        <Controls url={url} view={drawn.view} />
      </div>
    </div>
  </Document>
);

const SearchForm: FC<{ query: string; view: View }> = ({ query, view: { centre } }) => (
  <form class="search_form" action="/search">
    <div class="row">
      <input type="text" name="query" aria-label="Search" placeholder="Search" value={query} autocomplete="off" />
      <button type="submit">Go</button>
      <a class="switch" href="/directions" title="Find directions between two points">
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <path d="M10 1l9 9-9 9-9-9z M7 13v-4h5v-2l4 3.500-4 3.500v-2h-3v3z" fill="currentColor" fill-rule="evenodd" />
        </svg>
        <span class="hidden">Find directions between two points</span>
      </a>
    </div>
    <a href={`/search?query=${centre.map((degrees) => degrees.toFixed(5)).join("%2C%20")}`}>Where is this?</a>
  </form>
);

const DirectionsForm: FC<RouteForm> = ({ from, to, engine }) => (
  <form class="directions_form" action="/directions">
    <label>
      <span>From</span>
      <input type="text" name="route_from" aria-label="From" placeholder="From" value={from} autocomplete="off" />
    </label>
    <label>
      <span>To</span>
      <input type="text" name="route_to" aria-label="To" placeholder="To" value={to} autocomplete="off" />
    </label>
    <div class="row">
      <select class="routing_engines" name="engine" aria-label="Directions by">
        {engines.map(({ value, label }) => (
          <option value={value} selected={value === engine}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit">Go</button>
    </div>
    <div class="links">
      <a href={`/directions?${new URLSearchParams({ engine, from: to, to: from })}`}>Reverse Directions</a>
      <a href="/">Close</a>
    </div>
  </form>
);

const Controls: FC<{ url: string; view: View }> = ({ url, view }) => {
  const { centre, zoom } = view;
  return (
    <nav class="controls" aria-label="Map">
      {zoom < mostZoom && <a href={moved(url, { centre, zoom: zoom + 1 })}>Zoom In</a>}
      {zoom > leastZoom && <a href={moved(url, { centre, zoom: zoom - 1 })}>Zoom Out</a>}
      <a href={moved(url, shifted(view, 0, -300))}>North</a>
      <a href={moved(url, shifted(view, 0, 300))}>South</a>
      <a href={moved(url, shifted(view, -400, 0))}>West</a>
      <a href={moved(url, shifted(view, 400, 0))}>East</a>
    </nav>
  );
};

/** Returns the address of the same page with another view of the map. */
function moved(url: string, { centre: [lat, lon], zoom }: View): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.set("lat", `${Math.round(lat * 1e5) / 1e5}`);
  searchParams.set("lon", `${Math.round(lon * 1e5) / 1e5}`);
  searchParams.set("zoom", `${zoom}`);
  return `${pathname}?${searchParams}`;
}
