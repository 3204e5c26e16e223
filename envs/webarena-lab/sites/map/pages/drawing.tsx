/** SVG drawing of a view of the map. */
import type { FC } from "hono/jsx";
import { atlas } from "../atlas/atlas.js";
import { type LatLon, land } from "../atlas/data.js";
import type { Highway, Way } from "../atlas/network.js";
import type { Place } from "../atlas/place.js";
import { boundsOf, height, isWithin, pixelsOf, type View, width } from "./view.js";

export interface Drawn {
  view: View;
  markers?: readonly { at: LatLon; kind: "found" | "start" | "end" }[];
  line?: readonly LatLon[];
}

/** Kinds of roads in drawing order, with the minimum zoom level of each kind. */
const layers: readonly (readonly [Highway, number])[] = [
  ["footway", 15],
  ["pedestrian", 14],
  ["residential", 13],
  ["tertiary", 12],
  ["secondary", 8],
  ["primary", 7],
  ["motorway", 7],
];

/** Minimum zoom level at which the streets of towns are shown. */
const streetZoom = 11;

/** Attributes that hide the labels of the drawing from the accessibility tree. The drawing itself has an accessible name. */
const unread = { "aria-hidden": "true" } as const;

/** Projection of a point to drawing coordinates. */
type Projection = (point: LatLon) => [x: number, y: number];

export const Drawing: FC<Drawn & { label: string }> = ({ view, markers = [], line = [], label }) => {
  const [left, top] = pixelsOf(view.centre, view.zoom);
  const project: Projection = (point) => {
    const [x, y] = pixelsOf(point, view.zoom);
    return [round(x - left + width / 2), round(y - top + height / 2)];
  };
  return (
    <svg
      class="drawing"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid slice"
    >
      <g {...unread}>
        <rect class="sea" width={width} height={height} />
        <path class="land" d={[land.coast, ...land.islands].map((ring) => `${pathOf(ring, project)}Z`).join("")} />
        {land.lakes.map(([, lat, lon, size]) => {
          const [x, y] = project([lat, lon]);
          const [, edge] = project([lat + size, lon]);
          return <ellipse class="lake" cx={x} cy={y} rx={round((y - edge) * 1.3)} ry={round(y - edge)} />;
        })}
        <path
          class="river"
          d={Object.values(land.rivers)
            .map((one) => pathOf(one, project))
            .join("")}
        />
        <Roads project={project} view={view} />
        {line.length > 1 && <path class="route" d={pathOf(line, project)} />}
        <Names project={project} view={view} />
        {markers.map(({ at, kind }) => {
          const [x, y] = project(at);
          return <path class={`marker ${kind}`} d={`M${x} ${y}l-9 -17a10 10 0 1 1 18 0z`} />;
        })}
      </g>
    </svg>
  );
};

const Roads: FC<{ project: Projection; view: View }> = ({ project, view }) => {
  const { zoom } = view;
  const bounds = boundsOf(view, 600);
  const shown = layers.filter(([, from]) => zoom >= from);
  const paths = new Map<Highway, string>();
  const { roads, streets } = layered();
  const isSeen = ({ town, junctions }: Way) => !town || isWithin(atlas().network.at(junctions[0] as number), bounds);
  for (const way of zoom < streetZoom ? roads : [...roads, ...streets]) {
    if (!shown.some(([highway]) => highway === way.highway) || !isSeen(way)) continue;
    const points = atlas().network.pointsOf(way);
    paths.set(way.highway, `${paths.get(way.highway) ?? ""}${pathOf(points, project)}`);
  }
  const scale = zoom >= 16 ? "wide" : zoom >= 13 ? "middle" : "thin";
  return (
    <g class={scale}>
      {shown.map(([highway]) => paths.has(highway) && <path class={`road ${highway} casing`} d={paths.get(highway)} />)}
      {shown.map(([highway]) => paths.has(highway) && <path class={`road ${highway}`} d={paths.get(highway)} />)}
    </g>
  );
};

const Names: FC<{ project: Projection; view: View }> = ({ project, view }) => {
  const { zoom } = view;
  const bounds = boundsOf(view, 0);
  const seen = placesNamedAt(zoom).filter((place) => isWithin(place.at, bounds));
  const ways = waysNamedAt(zoom).filter((way) => isWithin(middleOf(way), bounds));
  return (
    <>
      {ways.map((way) => {
        const [x, y] = project(middleOf(way));
        return way.ref ? <RoadNumber x={x} y={y} way={way} /> : <StreetName way={way} project={project} />;
      })}
      {seen.map(({ kind, name, at, town }) => {
        const [x, y] = project(at);
        return kind === "town" ? (
          <text class={town.inhabitants > 50_000 ? "city" : "town"} x={x} y={y - 6}>
            {name}
          </text>
        ) : (
          <>
            <circle class={`dot ${kind}`} cx={x} cy={y} r="4" />
            <text class="poi" x={x} y={y + 14}>
              {name}
            </text>
          </>
        );
      })}
    </>
  );
};

const RoadNumber: FC<{ x: number; y: number; way: Way }> = ({ x, y, way }) => (
  <g class={`number ${way.highway}`}>
    <rect x={x - 13} y={y - 8} width="26" height="15" rx="3" />
    <text x={x} y={y + 4}>
      {way.ref}
    </text>
  </g>
);

const StreetName: FC<{ way: Way; project: Projection }> = ({ way, project }) => {
  const at = Math.max(1, way.junctions.length >> 1);
  const { network } = atlas();
  const [x, y] = project(network.at(way.junctions[at - 1] as number));
  const [toX, toY] = project(network.at(way.junctions[at] as number));
  const [middleX, middleY] = [round((x + toX) / 2), round((y + toY) / 2)];
  const angle = round((Math.atan((toY - y) / (toX - x || 1)) * 180) / Math.PI);
  return (
    <text class="street" x={middleX} y={middleY + 3} transform={`rotate(${angle} ${middleX} ${middleY})`}>
      {way.name}
    </text>
  );
};

function middleOf({ junctions }: Way): LatLon {
  return atlas().network.at(junctions[junctions.length >> 1] as number);
}

const landmarks = new Set([
  "university",
  "museum",
  "stadium",
  "hospital",
  "station",
  "park",
  "airport",
  "bridge",
  "theatre",
]);

interface Layered {
  towns: readonly Place[];
  landmarks: readonly Place[];
  others: readonly Place[];
  roads: readonly Way[];
  streets: readonly Way[];
}

let known: Layered | undefined;

/** Returns the ways and places of the atlas, grouped by the minimum zoom level. */
function layered(): Layered {
  if (!known) {
    const { places, network } = atlas();
    known = {
      towns: places.filter(({ kind }) => kind === "town"),
      landmarks: places.filter(({ kind }) => landmarks.has(kind)),
      others: places.filter(({ kind }) => kind !== "town"),
      roads: network.ways.filter(({ town }) => !town),
      streets: network.ways.filter(({ town }) => town),
    };
  }
  return known;
}

function placesNamedAt(zoom: number): readonly Place[] {
  if (zoom <= 13) return layered().towns;
  if (zoom < 15) return [];
  return zoom < 17 ? layered().landmarks : layered().others;
}

function waysNamedAt(zoom: number): readonly Way[] {
  if (zoom >= 16) return layered().streets;
  return zoom >= 8 && zoom <= 13 ? layered().roads : [];
}

function pathOf(points: readonly LatLon[], project: Projection): string {
  let path = "";
  for (const point of points) {
    const [x, y] = project(point);
    path += `${path === "" ? "M" : "L"}${x} ${y}`;
  }
  return path;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
