/** Results of a search. */
import type { FC } from "hono/jsx";
import { coordinatesOf, search } from "../atlas/search.js";
import { MapPage } from "./page.js";
import { country, fitted, viewOf } from "./view.js";

const perPage = 10;

export const Results: FC<{ url: string; query: string; page: number; param: (name: string) => string | undefined }> = ({
  url,
  query,
  page,
  param,
}) => {
  const found = search(query);
  const shown = found.slice((page - 1) * perPage, page * perPage);
  const points = shown.map(({ at }) => at);
  const view = viewOf(param, () => (points.length > 0 ? fitted(points, 16) : country()));
  const link = (at: number) => `/search?${new URLSearchParams({ query, page: `${at}` })}`;
  return (
    <MapPage
      title={query === "" ? "Search" : `Search: ${query}`}
      url={url}
      query={query}
      view={view}
      markers={points.map((at) => ({ at, kind: "found" as const }))}
    >
      <h2>{coordinatesOf(query) ? `Results at ${query}` : "Search Results"}</h2>
      {shown.length === 0 && <p class="none">No results found</p>}
      <ul class="results-list">
        {shown.map(({ label, name, path }) => (
          <li class="search_results_entry">
            <span class="kind">{label}</span>{" "}
            <a class="set_position" href={path}>
              {name}
            </a>
          </li>
        ))}
      </ul>
      <nav class="pages" aria-label="Pages">
        {page > 1 && shown.length > 0 && <a href={link(page - 1)}>Previous results</a>}
        {page * perPage < found.length && <a href={link(page + 1)}>More results</a>}
      </nav>
    </MapPage>
  );
};
