/** Steps and conditions that the task templates of the map share. */
import type { HtmlTarget } from "../../../shared/web-tasks/evaluators/program-html.js";
import { choose, click, enter, type PlanStep, type } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import type { Town } from "../../seed/region.js";
import { atlas } from "../../sites/map/atlas/atlas.js";
import type { KindName } from "../../sites/map/atlas/kinds.js";
import { fullName, type Place } from "../../sites/map/atlas/place.js";
import { type Mode, type Route, routeBetween } from "../../sites/map/atlas/routing.js";
import { distanceText, timeText } from "../../sites/map/pages/route-text.js";

/** Labels of the travel modes in the select list of the directions form. */
const labels: Record<Mode, string> = { bike: "Bicycle (OSRM)", car: "Car (OSRM)", foot: "Foot (OSRM)" };
export const modes: readonly Mode[] = ["bike", "car", "foot"];

/** Names of the travel modes in intents. */
export const travel: Record<Mode, string> = { bike: "by bicycle", car: "by car", foot: "on foot" };

export function placesOf(kind: KindName, town?: Town): Place[] {
  return atlas().places.filter((place) => place.kind === kind && (!town || place.town === town));
}

export function townPlace(town: Town): Place {
  return atlas().places.find((place) => place.kind === "town" && place.town === town) as Place;
}

/** Draws a place of one of the given kinds. */
export function namedPlace(random: Random, kinds: readonly KindName[]): Place {
  return random.choice(atlas().places.filter(({ kind }) => (kinds as readonly string[]).includes(kind)));
}

/** Whether no other place in the town has the same name. */
export function isAlone({ name, town }: Place): boolean {
  return atlas().places.filter((one) => one.name === name && one.town === town).length === 1;
}

/** Returns the search text for a place: its name and, unless the name contains it, the town. */
export function called({ name, town, kind }: Place): string {
  return kind === "town" || name.includes(town.name) ? name : `${name}, ${town.name}`;
}

/** Returns the steps that search for a place and open its page. The search field must be empty. */
export function open(place: Place): PlanStep[] {
  return [enter("Search", called(place)), click("link", fullName(place))];
}

/** Returns the steps that request directions, from any page with a search field. */
export function askWay(from: Place, to: Place, mode: Mode): PlanStep[] {
  return [click("link", "Find directions between two points"), ...fillWay(from, to, mode), click("button", "Go")];
}

/** Returns the steps that fill in the empty directions form, in which the car is preselected. */
export function fillWay(from: Place, to: Place, mode: Mode): PlanStep[] {
  const chosen = mode === "car" ? [] : [choose("Directions by", labels[mode])];
  return [type("From", called(from)), type("To", called(to)), ...chosen];
}

/** Returns the route between two places that the map shows. */
export function way(from: Place, to: Place, mode: Mode): Route {
  const route = routeBetween(from.at, to.at, mode);
  if (!route) throw new Error(`no route exists from ${from.name} to ${to.name}`);
  return route;
}

export function timeOf(route: Route): string {
  return timeText(route.seconds);
}

export function distanceOf(route: Route): string {
  return distanceText(route.length);
}

/** Returns the duration of a route in minutes, rounded like on the page. */
export function minutesOf(route: Route): number {
  return Math.round(route.seconds / 60);
}

/** Returns a check that the final page shows the requested directions. */
export function shownWay(from: Place, to: Place, mode: Mode): HtmlTarget[] {
  const value = (field: string) => `document.querySelector('[name="${field}"]').value`;
  return [
    {
      url: "last",
      locator: 'document.querySelector("div#content select.routing_engines").selectedIndex',
      required_contents: { exact_match: `${modes.indexOf(mode)}` },
    },
    { url: "last", locator: value("route_from"), required_contents: { exact_match: fullName(from) } },
    { url: "last", locator: value("route_to"), required_contents: { exact_match: fullName(to) } },
    // The values in the form alone do not prove that the form was submitted.
    { ...sidebar, required_contents: { must_include: [`Distance: ${distanceOf(way(from, to, mode))}`] } },
  ];
}

export const sidebar = {
  url: "last",
  locator: "document.querySelector('[id=\"sidebar_content\"]').outerText",
} as const;

export function nodeUrl({ id }: Place): string {
  return `__MAP__/node/${id}`;
}
