/** Tags are found as by a lazy regular expression, but in linear time. */
import { expect, test } from "vitest";
import { readAction as readDeep } from "#palestra/envs/deepsearch/actions.js";
import { readAction as readMemory } from "#palestra/envs/memory/actions.js";
import { readAction as readSearch } from "#palestra/envs/searchqa/actions.js";
import { firstTag, tagsOf, withoutTags } from "#palestra/envs/shared/questions/tags.js";
import { Pcg64 } from "#palestra/envs/shared/rng/pcg64.js";

const pieces = ["<a>", "</a>", "<b>", "</b>", "x", "<a", "b>", " "];

test("the tags of 2,000 random texts equal those found by regular expressions", () => {
  const rng = new Pcg64(3);
  for (let round = 0; round < 2_000; round++) {
    const text = Array.from({ length: rng.integers(0, 14) }, () => pieces[rng.integers(0, pieces.length)]).join("");
    const [, kind, content] = /<(a|b)>([\s\S]*?)<\/\1>/.exec(text) ?? [];
    const found = firstTag(text, ["a", "b"]);
    expect([text, found?.kind, found?.content]).toEqual([text, kind, content]);
    const pattern = /<a>([\s\S]*?)<\/a>/g;
    const tags = tagsOf(text, "a");
    expect(tags.map((tag) => tag.content)).toEqual([...text.matchAll(pattern)].map(([, inner]) => inner));
    expect(withoutTags(text, tags)).toBe(text.replace(pattern, " "));
  }
});

test("a million characters of unclosed tags or spaces are parsed quickly and contain no action", () => {
  const texts = ["<search>", "<answer>", "<answer></search>", "<open><access>", "<answer><cite>", "<search> "].map(
    (piece) => piece.repeat(2 ** 20 / piece.length),
  );
  const spaces = `a${" ".repeat(2 ** 20)}b`;
  for (const read of [readDeep, readMemory, readSearch])
    for (const text of [
      ...texts,
      `<open>${spaces}</open>`,
      `<search>${spaces}</search>`,
      `<answer>${spaces}</answer>`,
    ]) {
      // Quadratic time would take hours.
      expect(["invalid", "open", "search", "answer"]).toContain(read(text).kind);
    }
});
