/**
 * A folder in Spider's format with queries of Spider's kinds. Spider's own files write texts in double quotes, hold
 * integers over 2^53, texts in columns of numbers, and missing values.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomOf } from "#palestra/envs/sql/engine/random.js";
import { openDatabase } from "#palestra/native/sqlite/index.js";
import { scratchDir } from "../../support/gym.js";

export interface Pair {
  db_id: string;
  question: string;
  /** The gold query, with its texts in double quotes. */
  query: string;
  /** The same query with its texts in single quotes. */
  reference: string;
  kind: string;
}

const databases = ["concert_singer", "pets_1", "flight_2", "world_1", "orchestra", "tvshow", "museum_visit", "battle"];
const cities = ["Aberdeen", "San José", "O'Fallon", "New York", "", "Year", "Zürich", "N/A"];
const countries = ["France", "USA", "United States", "Côte d'Ivoire", "%"];
const dates = ["2014-03-01", "2014-12-31", "2016-02-29"];

/** Values of a query: a text appears in double quotes in the gold query. */
interface Draw {
  text(list: readonly string[]): string;
  number(low: number, high: number): number;
}

/** Kinds of queries. A text is written as `<<text>>`. */
const kinds: Record<string, (draw: Draw) => string> = {
  count: ({ text }) => `SELECT count(*) FROM person WHERE City = ${text(cities)}`,
  filter: ({ text, number }) =>
    `SELECT Name , Age FROM person WHERE Country != ${text(countries)} AND Age >= ${number(1, 80)} ORDER BY Name`,
  like: ({ text, number }) =>
    `SELECT DISTINCT City FROM person WHERE City LIKE ${text(["%a%", "%e", "S%", "%'%"])} OR person_id = ${number(1, 60)}`,
  between: ({ text, number }) =>
    `SELECT Name FROM person WHERE Joined BETWEEN ${text(dates.slice(0, 1))} AND ${text(dates.slice(1))} AND Age < ${number(20, 90)}`,
  join: ({ text, number }) =>
    `SELECT T1.Name , T2.Title FROM person AS T1 JOIN work AS T2 ON T1.person_id = T2.person_id WHERE T1.Country = ${text(countries)} AND T2.Year > ${number(1990, 2016)}`,
  three: ({ text, number }) =>
    `SELECT T3.Name , T1.Role FROM person_place AS T1 JOIN person AS T2 ON T1.person_id = T2.person_id JOIN place AS T3 ON T3.place_id = T1.place_id WHERE T2.City = ${text(cities)} AND T3.Capacity > ${number(0, 9000)}`,
  group: ({ text, number }) =>
    `SELECT Country , count(*) , avg(Age) FROM person WHERE City != ${text(cities)} AND Age > ${number(0, 70)} GROUP BY Country`,
  having: ({ text, number }) =>
    `SELECT T1.Name FROM person AS T1 JOIN work AS T2 ON T1.person_id = T2.person_id WHERE T2.Kind = ${text(["song", "film", "play"])} GROUP BY T1.person_id HAVING count(*) >= ${number(1, 4)}`,
  top: ({ text, number }) =>
    `SELECT Country FROM person WHERE City <> ${text(cities)} AND Age <= ${number(30, 90)} GROUP BY Country ORDER BY COUNT(*) DESC , Country LIMIT 1;`,
  nested: ({ text, number }) =>
    `SELECT Name FROM person WHERE Age > (SELECT avg(Age) FROM person WHERE Country = ${text(countries)}) AND person_id < ${number(5, 60)}`,
  except: ({ text, number }) =>
    `SELECT Name FROM person EXCEPT SELECT T1.Name FROM person AS T1 JOIN work AS T2 ON T1.person_id = T2.person_id WHERE T2.Kind = ${text(["song", "film"])} AND T2.Year < ${number(1980, 2016)}`,
  intersect: ({ text }) =>
    `SELECT Country FROM person WHERE City = ${text(cities)} INTERSECT SELECT Country FROM person WHERE City = ${text(cities)}`,
  union: ({ text, number }) =>
    `SELECT Name FROM person WHERE Country = ${text(countries)} UNION SELECT Name FROM place WHERE Town = ${text(cities)} AND Capacity < ${number(10, 9000)}`,
  notIn: ({ text, number }) =>
    `SELECT count(*) FROM person WHERE person_id NOT IN (SELECT person_id FROM work WHERE Kind = ${text(["song", "play"])} AND Year >= ${number(1980, 2015)})`,
  in: ({ text, number }) =>
    `SELECT Name , City FROM person WHERE City IN (${text(cities)} , ${text(cities)}) AND person_id > ${number(0, 50)}`,
  big: ({ text, number }) =>
    `SELECT Phone , Phone + 1 FROM person WHERE Country = ${text(countries)} OR Phone > ${number(1, 9)}007199254740993`,
  mixed: ({ text, number }) =>
    `SELECT Rating , typeof(Rating) FROM work WHERE Rating = ${text(["N/A", "8", "7.5"])} OR Rating > ${number(0, 9)}`,
  missing: ({ text, number }) =>
    `SELECT Name , coalesce(City , ${text(["N/A"])}) FROM person WHERE City IS NULL OR Age < ${number(10, 60)}`,
  dates: ({ text, number }) =>
    `SELECT strftime(${text(["%Y", "%m"])} , Joined) , count(*) FROM person WHERE Age > ${number(0, 60)} GROUP BY 1`,
  quotedColumn: ({ text, number }) =>
    `SELECT T1."Name" FROM "person" AS T1 WHERE "City" = ${text(cities)} AND "Age" > ${number(0, 60)}`,
};

/** Creates the folder, and returns it with its pairs of queries. */
export function spiderLike(pairsOfKind: number): { folder: string; pairs: Pair[] } {
  const folder = scratchDir();
  for (const [at, name] of databases.entries()) fill(folder, name, at);
  const pairs = Object.entries(kinds).flatMap(([kind, make]) => pairsOf(kind, make, pairsOfKind));
  const entries = pairs.map(({ db_id, question, query }) => ({ db_id, question, query, query_toks: query.split(" ") }));
  writeFileSync(join(folder, "dev.json"), JSON.stringify(entries));
  return { folder, pairs };
}

function pairsOf(kind: string, make: (draw: Draw) => string, count: number): Pair[] {
  const random = randomOf(count, kind);
  const draw: Draw = {
    text: (list) => `<<${random.choice([...list])}>>`,
    number: (low, high) => random.randint(low, high),
  };
  return Array.from({ length: count }, (_, at) => {
    const drawn = make(draw);
    const quoted = (quote: string) =>
      drawn.replace(/<<(.*?)>>/g, (_, text: string) => quote + text.replaceAll(quote, quote + quote) + quote);
    const db_id = databases[at % databases.length] as string;
    return { db_id, question: `${kind} ${at}?`, query: quoted('"'), reference: quoted("'"), kind };
  });
}

function fill(folder: string, name: string, at: number): void {
  const own = join(folder, "database", name);
  mkdirSync(own, { recursive: true });
  const database = openDatabase(join(own, `${name}.sqlite`));
  database.exec(`
    CREATE TABLE "person" ("person_id" int, "Name" text, "City" text, "Country" text, "Age" int, "Joined" datetime, "Phone" bigint, PRIMARY KEY ("person_id"));
    CREATE TABLE "work" ("work_id" int, "person_id" int, "Title" text, "Kind" text, "Year" int, "Rating" real);
    CREATE TABLE "place" ("place_id" int, "Name" text, "Town" text, "Capacity" real);
    CREATE TABLE "person_place" ("person_id" int, "place_id" int, "Role" text)`);
  const random = randomOf(at, name);
  const some = <T>(list: readonly T[]): T => random.choice([...list]);
  const add = (table: string, row: unknown[]) =>
    database.prepare(`INSERT INTO ${table} VALUES (${row.map(() => "?").join(", ")})`).run(row);
  for (let id = 1; id <= 60; id++) {
    const city = some([...cities, null]);
    const phone = BigInt(random.randint(1, 9)) * 1_007_199_254_740_993n + BigInt(id);
    add("person", [
      id,
      `${some(["Ann", "Bo", "D'Arcy"])} ${id % 40}`,
      city,
      some(countries),
      some([null, id, 30]),
      some(dates),
      phone,
    ]);
    const rating = some<unknown>(["N/A", 8, 7.5, null, Buffer.from("8")]);
    for (let work = id % 4; work > 0; work--)
      add("work", [
        id * 4 + work,
        id,
        `Work ${id}`,
        some(["song", "film", "play"]),
        random.randint(1980, 2016),
        rating,
      ]);
    if (id <= 12) add("place", [id, `Hall ${id}`, some(cities), some([100, 2500.5, 8000])]);
    add("person_place", [id, random.randint(1, 12), some(["host", "guest"])]);
  }
  // Some of Spider's files have bytes that are not valid UTF-8.
  database.exec("UPDATE person SET Name = CAST(x'416e6ee9' AS TEXT) WHERE person_id = 1");
  database.close();
}
