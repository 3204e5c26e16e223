import { resolve } from "node:path";
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

test.each(["postgresql+psycopg2://ada:secret@db/log", "Postgres://ada:secret@db/log", "postgres:/ada:secret@db/log"])(
  "%s is refused without its password",
  (url) => {
    expect(() => logPlace(url)).toThrow(
      /^expected a file, or a URL that begins with postgres:\/\/, but received a URL/,
    );
    expect(() => logPlace(url)).not.toThrow(/secret/);
  },
);

test.each(["episodes.db", "./a:b/episodes.db", "/srv/gym:1/episodes.db"])(
  "%s is read as the path of a file",
  (path) => {
    expect(logPlace(path)).toEqual({ path: resolve(path) });
  },
);
