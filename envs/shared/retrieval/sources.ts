/** Selects the collection of pages to search, which the gym's operator configures. */
import { z } from "zod";
import { bundledIndex } from "./bundled/bundled-index.js";
import { Answers, CachedSource } from "./cached-source.js";
import { EmbeddedSource } from "./embedded/embedded-source.js";
import { indexPath } from "./embedded/index-schema.js";
import { aliasAddress, withoutPassword } from "./opensearch/address.js";
import { OpenSearchSource } from "./opensearch/opensearch-source.js";
import { KeptPages } from "./remote/kept-pages.js";
import { RetrieveServer } from "./remote/retrieve-server.js";
import type { Source } from "./source.js";
import type { Browsers } from "./web/page-reader.js";
import { webSettings } from "./web/settings.js";
import { WebSource } from "./web/web-source.js";

/** Name of the source with the bundled pages. */
export const bundled = "bundled";

const kinds = {
  index: (name: string) => new EmbeddedSource(name, async () => indexPath(name)),
  retrieve: (url: string) => new CachedSource(new RetrieveServer(address(url))),
  opensearch: (url: string) => new CachedSource(new OpenSearchSource(aliasAddress(url))),
};

/** Sources by name, shared by all environments of a process. */
const open = new Map<string, Source>();

/** Name of the source that searches the live web. Each environment has its own browsers; all share a cache of pages. */
const web = "web";
const webAnswers = new Answers();
const webPages = new KeptPages();

/**
 * Returns the source with one of these names: `bundled`; `index:NAME`, made by `palestra index build`; `retrieve:URL`,
 * a Search-R1 server; `opensearch:URL/ALIAS`, an index of an OpenSearch cluster; or `web`.
 *
 * @throws {RangeError} the name is invalid, or web search is not configured
 */
export function sourceOf(name: string, browsers: Browsers): Source {
  return name === web
    ? new CachedSource(new WebSource(webSettings(), browsers, webPages), webAnswers)
    : sharedSource(name);
}

/** Checks the name of a source. @throws {RangeError} the name is invalid */
export function checkSource(name: string): void {
  if (name === web) webSettings();
  else sharedSource(name);
}

function sharedSource(name: string): Source {
  const known = open.get(name);
  if (known) return known;
  const source = made(name);
  open.set(name, source);
  return source;
}

function made(name: string): Source {
  if (name === bundled) return new EmbeddedSource(bundled, bundledIndex);
  const [, kind = "", rest = ""] = /^([a-z]+):(.+)$/.exec(name) ?? [];
  if (Object.hasOwn(kinds, kind)) return kinds[kind as keyof typeof kinds](rest);
  const expected = [bundled, "index:NAME", "retrieve:URL", "opensearch:URL/ALIAS", web].join(", ");
  throw new RangeError(
    `expected one of the sources ${expected}, but received ${JSON.stringify(withoutPassword(name))}`,
  );
}

function address(url: string): string {
  const parsed = z.url({ protocol: /^https?$/ }).safeParse(url);
  if (parsed.success) return url;
  throw new RangeError(`expected an http:// or https:// address, but received ${JSON.stringify(withoutPassword(url))}`);
}
