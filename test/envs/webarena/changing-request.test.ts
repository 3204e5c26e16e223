/** Requests after which a site of the benchmark is reset. */
import { expect, test } from "vitest";
import type { SiteName } from "#palestra/envs/shared/web-tasks/tasks/sites.js";
import { mayChange } from "#palestra/envs/webarena/changing-request.js";

const query = JSON.stringify({ query: "query getIssues { project { issues { nodes { id } } } }" });
const mutation = JSON.stringify({
  query: "mutation createNote($input: CreateNoteInput!) { createNote { note { id } } }",
});

test.each<[SiteName, string, string, string | null, boolean]>([
  ["gitlab", "GET", "/explore", null, false],
  ["gitlab", "POST", "/api/graphql", query, false],
  ["gitlab", "POST", "/api/graphql", mutation, true],
  ["gitlab", "POST", "/api/graphql", null, true],
  ["gitlab", "POST", "/byteblaze/dotfiles/preview_markdown", "text=x", false],
  ["gitlab", "POST", "/byteblaze/dotfiles/-/issues", "title=x", true],
  ["gitlab", "DELETE", "/byteblaze/dotfiles/preview_markdown", null, true],
  ["shopping", "POST", "/customer/section/load/", "sections=cart", false],
  ["shopping", "POST", "/checkout/cart/add/", "product=1", true],
  ["shopping_admin", "POST", "/admin/mui/index/render/", "namespace=x", false],
  ["shopping_admin", "POST", "/admin/mui/bookmark/save/", "data=x", true],
  ["reddit", "POST", "/customer/section/load/", "x", true],
])("%s is marked as only read or as changed by %s %s", (site, method, path, body, expected) => {
  expect(mayChange(site, { method, path, body })).toBe(expected);
});
