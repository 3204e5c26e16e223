/** Decides whether a request of an episode may change a site, so that the site must be reset afterwards. */
import type { SiteName } from "../shared/web-tasks/tasks/sites.js";

export interface SentRequest {
  method: string;
  /** Path of the URL, without the query. */
  path: string;
  /** Body, or null if the request has none. */
  body: string | null;
}

/** Paths that the sites' own scripts request with POST to read data, to preview a text or to report usage. */
const reading: Readonly<Partial<Record<SiteName, RegExp>>> = {
  gitlab: /\/(preview_markdown|collect_events)$|^\/api\/v4\/usage_data\//,
  shopping: /^\/(customer\/section\/load|page_cache\/block\/(esi|render))(\/|$)/,
  shopping_admin: /\/(mui\/index\/render|page_cache\/block\/(esi|render))(\/|$)/,
};

export function mayChange(site: SiteName, { method, path, body }: SentRequest): boolean {
  if (["GET", "HEAD", "OPTIONS"].includes(method)) return false;
  if (method !== "POST") return true;
  // GitLab's pages read with GraphQL queries, and change with mutations.
  if (site === "gitlab" && path === "/api/graphql") return body === null || /\bmutation\b/.test(body);
  return !reading[site]?.test(path);
}
