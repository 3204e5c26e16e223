/** A solver gets the names, states and texts of elements from the lines of an observation. */
import { expect, test } from "vitest";
import { noSight } from "#palestra/envs/miniwob/sight.js";
import { View } from "#palestra/envs/miniwob/view.js";

const viewOf = (...lines: string[]) =>
  new View({ ...noSight, seen: new Map(lines.map((line, at) => [`${at + 1}`, { line, rect: null }])) }, []);

test("the name of an element is decoded as Python writes texts", () => {
  const name = (quoted: string) => viewOf(`[1] StaticText ${quoted}`).items[0]?.name;
  expect(name("'a\\tb\\nc\\rd'")).toBe("a\tb\nc\rd");
  expect(name('"it\'s"')).toBe("it's");
  expect(name("'say \\\\ and \\''")).toBe("say \\ and '");
  expect(name("'\\x1b \\u200b \\U0001f600'")).toBe("\u001b \u200b \u{1f600}");
});

test("an element has its number, role, name and state", () => {
  expect(viewOf("[1] checkbox 'ham' checked: true").items).toEqual([
    { id: "1", role: "checkbox", name: "ham", state: "checked: true" },
  ]);
});

test("the text of a field is the text that follows it", () => {
  const view = viewOf("[1] textbox ''", "[2] StaticText 'typed'", "[3] textbox ''", "[4] button 'OK'");
  const [first, second] = view.all("textbox");
  expect([first, second].map((field) => field && view.valueOf(field))).toEqual(["typed", ""]);
});
