/** The tool `search`, which returns passages from a collection of pages. */
import type { Source } from "../retrieval/source.js";
import { checkSource, sourceOf } from "../retrieval/sources.js";
import type { ToolKit } from "./tool-kit.js";

export interface SearchSettings {
  /**
   * Source of the pages: Name of the source: `bundled`, `index:NAME`, `retrieve:URL`, `opensearch:URL/ALIAS` or `web`.
   */
  source: string;
  /** Number of passages in an answer. */
  passages: number;
}

/** Returns the kit of the tool `search`. @throws {RangeError} the source does not exist */
export function searchKit({ source: name, passages }: SearchSettings): ToolKit {
  checkSource(name);
  return {
    requirements: [],
    tools: [
      {
        name: "search",
        description: "Searches a collection of pages, and shows the passages that fit the query best.",
        parameters: {
          type: "object",
          properties: { query: { type: "string", description: "Words to look for." } },
          required: ["query"],
          additionalProperties: false,
        },
        action: "search {query}",
      },
    ],
    open({ sandboxes }) {
      let source: Source | undefined;
      return {
        async call(_, { query }, signal) {
          source ??= sourceOf(name, sandboxes.browsers);
          const found = await source.search(String(query), passages, signal);
          const texts = found.map(({ title, text }, at) => `${at + 1}. ${title}\n${text}`);
          return { text: texts.join("\n\n") || "Nothing was found." };
        },
        async close() {
          // Episodes in the same process share the sources, so another episode may still use this source.
          source = undefined;
        },
      };
    },
  };
}
