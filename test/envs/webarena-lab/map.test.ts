import { describe, expect, test } from "vitest";
import { towns } from "#palestra/envs/webarena-lab/seed/region.js";
import { app as map } from "#palestra/envs/webarena-lab/sites/map/app.js";
import { atlas } from "#palestra/envs/webarena-lab/sites/map/atlas/atlas.js";
import { fullName, type Place } from "#palestra/envs/webarena-lab/sites/map/atlas/place.js";
import { routeBetween } from "#palestra/envs/webarena-lab/sites/map/atlas/routing.js";
import { search } from "#palestra/envs/webarena-lab/sites/map/atlas/search.js";
import { openWorld } from "#palestra/envs/webarena-lab/world.js";

const world = openWorld();
const modes = ["car", "bike", "foot"] as const;

async function read(path: string): Promise<{ status: number; html: string }> {
  const response = await map.request(path, {}, world);
  return { status: response.status, html: await response.text() };
}

function place(name: string): Place {
  const found = atlas().places.find((one) => one.name === name);
  if (!found) throw new Error(`expected a place called ${name}, but found none`);
  return found;
}

function query(fields: Record<string, string>): string {
  return `${new URLSearchParams(fields)}`;
}

describe("the atlas", () => {
  test("has at least 900 places with different full names", () => {
    const names = atlas().places.map(fullName);
    expect(names.length).toBeGreaterThanOrEqual(900);
    expect(new Set(names).size).toBe(names.length);
  });

  test("gives each street of a town its own name and postcode", () => {
    const streets = atlas().network.ways.filter(({ town }) => town);
    const keys = streets.map(({ name, town }) => `${name}, ${town?.name}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(streets.map(({ postcode }) => postcode)).size).toBe(streets.length);
  });

  test.each(modes)("connects every place with the capital by %s", (mode) => {
    const capital = place("Port Alder");
    for (const { at, name } of atlas().places.filter((_, number) => number % 149 === 0))
      expect(routeBetween(capital.at, at, mode), name).toBeDefined();
  });

  test("finds the fastest route, which has the same length in both directions", () => {
    for (const mode of modes) {
      const [from, to] = [place("Venn Music Museum").at, place("University of Port Alder").at];
      const [there, back] = [routeBetween(from, to, mode), routeBetween(to, from, mode)];
      expect(there?.length).toBeCloseTo(back?.length ?? 0, 3);
      expect(there?.seconds).toBeCloseTo(back?.seconds ?? 0, 3);
      expect(there?.legs.reduce((sum, { length }) => sum + length, 0)).toBeCloseTo(there?.length ?? 0, -1);
    }
  });

  test("never routes walkers or cyclists along a motorway, or cars along a footpath", () => {
    const pairs = towns.map(({ latitude, longitude }) => [latitude, longitude] as const);
    for (const [number, to] of pairs.slice(0, 8).entries()) {
      const from = pairs[(number + 5) % pairs.length] ?? to;
      const used = (mode: (typeof modes)[number]) =>
        routeBetween(from, to, mode)?.legs.map(({ way }) => way.highway) ?? [];
      expect([...used("foot"), ...used("bike")]).not.toContain("motorway");
      expect(used("car")).not.toContain("footway");
    }
    const used = routeBetween(place("Port Alder").at, place("Mersa Falls").at, "car");
    expect(used?.legs.map(({ way }) => way.ref)).toContain("M3");
  });

  test("takes no time from a place to itself", () => {
    const { at } = place("Venn Music Museum");
    expect(routeBetween(at, at, "foot")).toMatchObject({ length: 0, seconds: 0 });
  });
});

describe("search", () => {
  test("finds places by name, address and postcode", () => {
    const museum = place("Venn Music Museum");
    const [name, address, postcode] = ["venn music museum", fullName(museum), museum.street?.postcode ?? ""].map(
      search,
    );
    expect(name?.[0]?.path).toBe(`/node/${museum.id}`);
    expect(address?.[0]?.path).toBe(`/node/${museum.id}`);
    expect(postcode?.map(({ path }) => path)).toContain(`/node/${museum.id}`);
  });

  test("finds kinds of places in a town and by distance", () => {
    const inVenn = search("pharmacies in Venn");
    expect(inVenn.length).toBeGreaterThan(1);
    expect(inVenn.every(({ name }) => name.includes(", Venn, "))).toBe(true);
    const near = search("cafes near Venn Music Museum");
    expect(near[0]?.name).toContain("Venn");
    expect(near[0]?.label).toBe("Cafe");
  });

  test("finds every place of the map by its name and town", () => {
    for (const one of atlas().places.filter((_, number) => number % 17 === 0)) {
      const found = search(`${one.name}, ${one.town.name}`).map(({ path }) => path);
      expect(found, fullName(one)).toContain(`/node/${one.id}`);
    }
  });

  test("finds the place at coordinates", () => {
    const museum = place("Venn Music Museum");
    expect(search(museum.at.join(", "))[0]?.path).toBe(`/node/${museum.id}`);
    expect(search("0, 0")).toEqual([]);
  });
});

describe("the pages", () => {
  test("pages through results", async () => {
    const { html } = await read("/search?query=restaurants+in+Port+Alder");
    expect(html.match(/search_results_entry/g)).toHaveLength(10);
    expect(html).toContain("More results");
    const second = await read("/search?query=restaurants+in+Port+Alder&page=2");
    expect(second.html).toContain("Previous results");
    expect((await read("/search?query=restaurants+in+Port+Alder&page=99")).html).toContain("No results found");
    expect((await read("/search?query=restaurants+in+Port+Alder&page=x")).html).toBe(
      (await read("/search?query=restaurants+in+Port+Alder&page=x")).html,
    );
  });

  test("shows the tags of a place, and the addresses of a street", async () => {
    const museum = place("Venn Music Museum");
    const { html } = await read(`/node/${museum.id}`);
    expect(html).toContain(`<td>${museum.tags.get("phone")}</td>`);
    const street = await read(`/way/${museum.street?.id}`);
    expect(street.html).toContain("Venn Music Museum");
  });

  test("gives directions and keeps the form's values", async () => {
    const asked = { route_from: "Venn Music Museum", route_to: "Venn Station", engine: "fossgis_osrm_foot" };
    const { html } = await read(`/directions?${query(asked)}`);
    expect(html).toMatch(/Distance: \d+m\. Time: 0:\d\d\./);
    expect(html).toContain(
      `name="route_from" aria-label="From" placeholder="From" value="${fullName(place("Venn Music Museum"))}"`,
    );
    expect(html).toMatch(/<option value="fossgis_osrm_foot" selected/);
    expect(html).toContain("Reach destination");
  });

  test("reads coordinates from the address as the original does", async () => {
    const route = [place("Venn").at, place("Lunding").at].map((at) => at.join(",")).join(";");
    const { html } = await read(`/directions?${query({ engine: "fossgis_osrm_bike", route })}`);
    expect(html).toMatch(/Distance: \d+km/);
    expect(html).toMatch(/<option value="fossgis_osrm_bike" selected/);
  });

  test("names the unknown end of a route", async () => {
    const { html } = await read(`/directions?${query({ route_from: "Nowhere Inn", route_to: "Venn" })}`);
    expect(html).toContain("couldn&#39;t locate &#39;Nowhere Inn&#39;");
    expect(html).not.toContain("Distance:");
    expect((await read("/directions?engine=boat")).html).toMatch(/<option value="fossgis_osrm_car" selected/);
  });

  test("escapes the typed text", async () => {
    const hostile = `<script>alert(1)</script>'"&`;
    for (const path of [`/search?${query({ query: hostile })}`, `/directions?${query({ from: hostile, to: hostile })}`])
      expect((await read(path)).html).not.toContain("<script>");
  });

  test.each(["/node/1", "/node/abc", "/way/99", "/way/%3Cscript%3E", "/nothing"])(
    "answers 404 for %s",
    async (path) => {
      const { status, html } = await read(path);
      expect(status).toBe(404);
      expect(html).not.toContain("<script>");
    },
  );

  test("moves and zooms by links within valid views", async () => {
    const { html } = await read("/?lat=44.62&lon=-63.58&zoom=15");
    expect(html).toContain("zoom=16");
    expect(html).toContain("zoom=14");
    expect((await read("/?lat=44.62&lon=x&zoom=99")).status).toBe(200);
  });

  test("returns the same bytes each time", async () => {
    for (const path of ["/", "/search?query=museums", `/directions?${query({ from: "Venn", to: "Corran" })}`])
      expect((await read(path)).html).toBe((await read(path)).html);
  });
});
