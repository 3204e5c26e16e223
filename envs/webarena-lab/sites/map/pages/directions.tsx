/** Directions between two points: distance, time and turns. */
import type { FC } from "hono/jsx";
import type { LatLon } from "../atlas/data.js";
import { type Leg, type Mode, type Route, routeBetween, turnBetween } from "../atlas/routing.js";
import { coordinatesOf, search } from "../atlas/search.js";
import { engines, MapPage, type RouteForm, usualEngine } from "./page.js";
import { distanceText, timeText } from "./route-text.js";
import { country, fitted, viewOf } from "./view.js";

type Param = (name: string) => string | undefined;

interface End {
  /** Text of the form field. */
  text: string;
  at?: LatLon;
}

export const Directions: FC<{ url: string; param: Param }> = ({ url, param }) => {
  const { engine, from, to } = askedFor(param);
  const [start, end] = [endOf(from), endOf(to)];
  const ends = [start.at, end.at].filter((at) => at !== undefined);
  const route = start.at && end.at ? routeBetween(start.at, end.at, modeOf(engine)) : undefined;
  const line = route?.legs.flatMap(({ points }) => points) ?? [];
  const shown = line.length > 0 ? [...line, ...ends] : ends;
  const view = viewOf(param, () => (shown.length > 0 ? fitted(shown, 16) : country()));
  const missing = [start, end].filter(({ text, at }) => text !== "" && !at);
  return (
    <MapPage
      title="Directions"
      url={url}
      view={view}
      line={line}
      route={{ engine, from: start.text, to: end.text }}
      markers={[
        ...(start.at ? [{ at: start.at, kind: "start" as const }] : []),
        ...(end.at ? [{ at: end.at, kind: "end" as const }] : []),
      ]}
    >
      {missing.map(({ text }) => (
        <p role="alert">Sorry, couldn't locate '{text}'.</p>
      ))}
      {ends.length === 2 && !route && <p role="alert">Couldn't find a route between those two places.</p>}
      {route && <RouteView route={route} />}
    </MapPage>
  );
};

const RouteView: FC<{ route: Route }> = ({ route }) => (
  <>
    <h2>Directions</h2>
    <p id="routing_summary">
      Distance: {distanceText(route.length)}. Time: {timeText(route.seconds)}.
    </p>
    <table id="turnbyturn">
      <tbody>
        {route.legs.map((leg, at) => (
          <tr>
            <td class="turn">
              {at + 1}. {instruction(route.legs[at - 1], leg)}
            </td>
            <td class="distance">{distanceText(leg.length)}</td>
          </tr>
        ))}
        <tr>
          <td class="turn">{route.legs.length + 1}. Reach destination</td>
          <td class="distance" />
        </tr>
      </tbody>
    </table>
    <p class="credit">Directions by the OpenHaldaneMap routing service</p>
  </>
);

/** Reads the names or coordinates from an address of the directions page. */
function askedFor(param: Param): RouteForm {
  const [routeFrom = "", routeTo = ""] = (param("route") ?? "").split(";");
  const asked = param("engine") ?? "";
  return {
    engine: engines.some(({ value }) => value === asked) ? asked : usualEngine,
    from: (param("route_from") ?? param("from") ?? routeFrom).trim(),
    to: (param("route_to") ?? param("to") ?? routeTo).trim(),
  };
}

function modeOf(engine: string): Mode {
  return engine.slice("fossgis_osrm_".length) as Mode;
}

/** Finds one end of the route. The form field shows the full name of the end. */
function endOf(text: string): End {
  const point = coordinatesOf(text);
  if (point) return { text, at: point };
  const [hit] = text === "" ? [] : search(text);
  return hit ? { text: hit.name, at: hit.at } : { text };
}

function instruction(before: Leg | undefined, leg: Leg): string {
  const { name, ref } = leg.way;
  const onto = ref ? `${name} (${ref})` : name;
  if (!before) return `Start on ${onto}`;
  const turn = turnBetween(before, leg);
  const side = turn > 0 ? "right" : "left";
  const size = Math.abs(turn);
  if (size < 15) return `Continue on ${onto}`;
  if (size < 45) return `Slight ${side} onto ${onto}`;
  if (size > 160) return `Make a U-turn onto ${onto}`;
  return size > 120 ? `Sharp ${side} onto ${onto}` : `Turn ${side} onto ${onto}`;
}
