/** A client for search APIs that reply with JSON that contains a list of results. */
import { ServiceFailed } from "../../../errors.js";
import { askJson, type Request } from "../remote/ask.js";
import type { Passage } from "../source.js";
import { inJson, type WebSettings } from "./settings.js";

/** Paths in a reply at which search APIs usually return the list of results. */
const usualPlaces = ["web.results", "organic", "organic_results", "webPages.value", "items", "results"];
const mostTitle = 300;
const mostText = 2_000;

export class SearchApi {
  private readonly service: string;

  constructor(private readonly settings: WebSettings) {
    this.service = `the search API at ${new URL(settings.address).host}`;
  }

  /** Returns the first `k` results, without duplicate addresses. @throws {ServiceFailed} @throws the signal's reason */
  async search(query: string, k: number, signal: AbortSignal): Promise<Passage[]> {
    const reply = await askJson(this.service, this.requestFor(query, k), signal);
    const seen = new Map<string, Passage>();
    for (const [at, result] of this.resultsIn(reply).entries()) {
      const passage = passageOf(result, 1 / (at + 1));
      if (passage && !seen.has(passage.id)) seen.set(passage.id, passage);
    }
    return [...seen.values()].slice(0, k);
  }

  private requestFor(query: string, k: number): Request {
    const { address, headers, body } = this.settings;
    const url = filled(address, encodeURIComponent(query), k);
    return { url, headers, ...(body !== undefined && { body: JSON.parse(filled(body, inJson(query), k)) }) };
  }

  private resultsIn(reply: unknown): unknown[] {
    const places = this.settings.results ? [this.settings.results] : usualPlaces.map((place) => place.split("."));
    for (const place of places) {
      const list = place.reduce<unknown>(
        (value, name) => (value as Record<string, unknown> | undefined)?.[name],
        reply,
      );
      if (Array.isArray(list)) return list;
    }
    const expected = `${this.service} to reply with a list of results in ${places.map((place) => place.join(".")).join(", ")}`;
    const names = typeof reply === "object" && reply !== null ? Object.keys(reply).join(", ") : typeof reply;
    throw new ServiceFailed(expected, `${names} (set PALESTRA_WEB_SEARCH_RESULTS to the path of the list of results)`);
  }
}

/** Fills all placeholders in a single pass, since the query itself may contain the text of a placeholder. */
function filled(template: string, query: string, count: number): string {
  return template.replace(/\{(query|count)\}/g, (_, name) => (name === "query" ? query : `${count}`));
}

function passageOf(result: unknown, score: number): Passage | undefined {
  if (typeof result !== "object" || result === null) return undefined;
  const first = (...names: string[]) => {
    const value = names.map((name) => (result as Record<string, unknown>)[name]).find((one) => typeof one === "string");
    return plain((value as string | undefined) ?? "");
  };
  const id = first("url", "link", "href");
  if (!/^https?:\/\//.test(id) || !URL.canParse(id)) return undefined;
  const title = first("title", "name").slice(0, mostTitle) || id;
  return { id, title, text: first("description", "snippet", "content", "body", "text").slice(0, mostText), score };
}

/** Removes the HTML tags with which some APIs highlight the query's words. */
function plain(text: string): string {
  return text.replace(/<\/?(?:strong|b|em|mark)>/g, "").trim();
}
