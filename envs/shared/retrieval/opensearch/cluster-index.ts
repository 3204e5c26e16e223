/** Format of an index in OpenSearch: a document for each passage, and metadata in the `_meta` field of the mappings. */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { IndexFacts } from "../embedded/index-schema.js";
import type { PageLink } from "../source.js";

/** Schema version. Increase it when the mappings, the splitting into passages or the terms change. */
export const clusterSchemaVersion = 1;

/** Weight of the title's score, as in the embedded index. The text's score has weight 1. */
export const titleWeight = 2;

/**
 * The document of a passage. All passages of a page are in the same shard. Their texts, concatenated, are the text of
 * the page.
 */
export interface PassageDocument {
  /** Id of the page. */
  page: string;
  title: string;
  text: string;
  /** Position in the text of the page, in UTF-16 code units. */
  start: number;
  /** Length of the text of the page, in UTF-16 code units. */
  length: number;
  /** Line number in the corpus. */
  line: number;
  /** Links of the page. Present only in its first passage. */
  links?: PageLink[] | undefined;
}

/** Zod schema of `PassageDocument`, which validates documents from a cluster. */
export const passageDocument = z.object({
  page: z.string(),
  title: z.string(),
  text: z.string(),
  start: z.int(),
  length: z.int(),
  line: z.int(),
  links: z.array(z.object({ id: z.string(), title: z.string() })).optional(),
});

const state = z.object({
  /** Alias of the index. */
  name: z.string(),
  schema: z.int(),
  corpus: z.string(),
  /** True if the index is complete and has been checked. */
  isWhole: z.boolean(),
  /** Unique id of the process that builds the index. */
  builder: z.string(),
  /** Number of the last processed line. */
  line: z.int(),
  isRead: z.boolean(),
  pages: z.int(),
  passages: z.int(),
  skipped: z.int(),
  /** SHA-256 of the lines up to `line`, in hexadecimal digits. */
  digest: z.string(),
  /** Time of the build, in ISO 8601 format. */
  builtAt: z.string(),
});

/** Progress and result of a build, stored in the `_meta` field. */
export type IndexState = z.infer<typeof state>;

/** Zod schema of the reply to a request for mappings. */
export const mappingsReply = z.record(
  z.string(),
  z.object({ mappings: z.object({ _meta: z.looseObject({ palestra: z.unknown().optional() }).optional() }) }),
);

/**
 * Returns the state of each index in a reply. The state is undefined for an index that `palestra index build` did not
 * make.
 */
export function statesOf(reply: unknown): Map<string, IndexState | undefined> {
  const indexes = mappingsReply.safeParse(reply).data ?? {};
  return new Map(
    Object.entries(indexes).map(([index, { mappings }]) => [index, state.safeParse(mappings._meta?.palestra).data]),
  );
}

export function factsOf({ schema, pages, passages, skipped, digest, corpus, builtAt }: IndexState): IndexFacts {
  return { schema, pages, passages, skipped, digest, corpus, builtAt };
}

export function metaOf(palestra: IndexState) {
  return { _meta: { palestra } };
}

const stemmed = { type: "text", analyzer: "palestra" } as const;
const filter = ["lowercase", "asciifolding", "porter_stem"];

/** Returns the request body for `indices.create`. @param shards number of shards */
export function indexBody(begun: IndexState, shards: number) {
  return {
    settings: {
      number_of_shards: shards,
      // The index has no replica during the load: no search uses the index yet, and a replica would double the cost.
      number_of_replicas: 0,
      refresh_interval: "-1",
      codec: "best_compression",
      // The analyzer gives Unicode words without accents, stemmed by Porter's algorithm of 1980, as in the embedded
      // index.
      analysis: {
        analyzer: {
          palestra: { type: "custom" as const, tokenizer: "standard", filter },
        },
      },
    },
    mappings: {
      dynamic: "strict" as const,
      ...metaOf(begun),
      properties: {
        page: { type: "keyword" as const, doc_values: false },
        title: stemmed,
        text: stemmed,
        start: { type: "integer" as const },
        length: { type: "integer" as const, index: false, doc_values: false },
        line: { type: "long" as const },
        links: { type: "object" as const, enabled: false },
      },
    },
  };
}

/** Settings of a complete index, which is read-only. */
export const wholeSettings = {
  index: { refresh_interval: "1s", auto_expand_replicas: "0-1", blocks: { write: true } },
} as const;

/**
 * Returns the routing key of a page, which also begins the ids of its passages. It is a hash, since OpenSearch limits
 * ids to 512 bytes.
 */
export function routingOf(page: string): string {
  return createHash("sha256").update(page).digest("hex").slice(0, 32);
}
