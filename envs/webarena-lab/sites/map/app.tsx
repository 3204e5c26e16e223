/** The app of a searchable map with directions. The addresses are those of openstreetmap.org. */
import { type Context, Hono } from "hono";
import type { SiteEnv } from "../site.js";
import { atlas } from "./atlas/atlas.js";
import { Directions } from "./pages/directions.js";
import { PlacePage, WayPage } from "./pages/element.js";
import { Copyright, Help, Home, NotFound } from "./pages/home.js";
import { Results } from "./pages/results.js";
import { country, viewOf } from "./pages/view.js";

export const app = new Hono<SiteEnv>();

/** Returns the parts of a request that every page needs. */
function frameOf(context: Context<SiteEnv>) {
  const param = (name: string) => context.req.query(name);
  return { url: context.req.url, param, view: viewOf(param, country) };
}

app.get("/", (context) => context.html(<Home {...frameOf(context)} />));
app.get("/help", (context) => context.html(<Help {...frameOf(context)} />));
app.get("/copyright", (context) => context.html(<Copyright {...frameOf(context)} />));

app.get("/search", (context) => {
  const query = context.req.query("query")?.trim() ?? "";
  const page = Math.max(1, Math.floor(Number(context.req.query("page"))) || 1);
  return context.html(<Results {...frameOf(context)} query={query} page={page} />);
});

app.get("/directions", (context) => context.html(<Directions {...frameOf(context)} />));

app.get("/node/:id", (context) => {
  const place = atlas().placeById.get(Number(context.req.param("id")));
  if (!place) return missing(context, `node #${context.req.param("id")}`);
  return context.html(<PlacePage {...frameOf(context)} place={place} />);
});

app.get("/way/:id", (context) => {
  const way = atlas().wayById.get(Number(context.req.param("id")));
  if (!way) return missing(context, `way #${context.req.param("id")}`);
  return context.html(<WayPage {...frameOf(context)} way={way} />);
});

app.notFound((context) => missing(context, "the page"));

function missing(context: Context<SiteEnv>, what: string) {
  return context.html(<NotFound {...frameOf(context)} what={what} />, 404);
}
