/** Singular and plural after counts in the trainer's messages. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { counted } from "#palestra/server/formats/counted.js";
import { root } from "../../support/server-process.js";

test("a count of 1 has a singular noun, and 0, 2 and 0.5 have a plural", () => {
  expect([1, 0, 2, 0.5].map((count) => counted(count, "step"))).toEqual(["1 step", "0 steps", "2 steps", "0.5 steps"]);
  expect(counted(2, "reply", "replies")).toBe("2 replies");
});

const nouns =
  "arguments|chats|environments|episodes|groups|others|pairs|presets|reasons|records|replies|requests|rollouts|rounds|rows|samples|sets|sources|steps|tasks|turns";
/** Matches an integer in a template, at most one more word, and a plural. */
const written = new RegExp(`\\$\\{(?![^{}]*toFixed)[^{}]*\\}(?: (?!to\\b)[a-z]+)? (?:${nouns})\\b`, "g");
/** The end of a range from 1, which has a plural for every end. */
const range = /of 1 to $/;

test("no message has a fixed plural after a count that can be 1", () => {
  const files = readdirSync(join(root, "trainer"), { recursive: true, encoding: "utf8" });
  const found = files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => {
      const text = readFileSync(join(root, "trainer", file), "utf8");
      const hits = [...text.matchAll(written)].filter(({ index }) => !range.test(text.slice(0, index)));
      return hits.map(([hit]) => `${file}: ${hit}`);
    });
  expect(found).toEqual([]);
});
