import { expect, test } from "vitest";
import { logPlace, shownPlace } from "#palestra/server/log/copy/log-place.js";

test.each([
  ["postgres://ada:secret@db/log", "postgres://ada@db/log"],
  ["postgres://ada:sec/ret@db/log", "postgres://ada@db/log"],
  ["postgres://ada:sec@ret?@db:5432/log", "postgres://ada@db:5432/log"],
  ["postgresql://db/log?user=ada&password=secret&ssl=true", "postgresql://db/log?user=ada&password=...&ssl=true"],
  ["postgres://ada@db:5432/log", "postgres://ada@db:5432/log"],
])("%s is shown without its password", (url, shown) => {
  expect(shownPlace(logPlace(url))).toBe(shown);
});
