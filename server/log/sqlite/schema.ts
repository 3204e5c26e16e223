/** The tables of the episode log, and the migrations from older versions. */
import type Database from "better-sqlite3";
import { isVerdictMark } from "../records/episode-filter.js";
import { addRowSum, rowSumOf, summedInSqlite } from "../records/row-sums.js";
import { placesPerPage } from "../records/step-page.js";
import { countUsage, usageSchema } from "../records/usage.js";
import { stepTableSchema } from "./step-table.js";
import { unfinishedCopy } from "./unfinished-copy.js";

export const schemaVersion = 9;

/** Version of a file that `palestra log copy` has not finished. */
export const unfinishedVersion = -1;

/**
 * Statements that count the bytes of episodes in a log whose extents have no byte counts. Each step counts with the
 * average bytes of a step, so that the sum over all owners is right.
 */
export const countBytes = `
  UPDATE extents SET
    lastPage = json_extract(places, '$[#-1]') / ${placesPerPage},
    bytes = octet_length(places) + round(json_array_length(places) * (
      SELECT (SELECT total(octet_length(lines)) FROM pages JOIN indexed ON page <= upTo)
        / (SELECT total(json_array_length(places)) FROM extents)
    ));
  ${countUsage}
`;

const summedTables = Object.keys(summedInSqlite) as (keyof typeof summedInSqlite)[];

/** Statements that give all rows checksums. */
export const sumRows = summedTables.map((table) => `UPDATE ${table} SET sum = ${rowSumOf(table)};`).join("\n");

/** Expression for a number in the detail of a verdict. */
export function verdictNumber(field: "return" | "steps"): string {
  return `json_extract(detail, '$.${field}')`;
}

/** Indexes for lists of episodes by their outcome, and in the order of a number in their verdicts. */
const verdictIndexes = `
  CREATE INDEX marks_by_kind ON marks (kind, episode);
  CREATE INDEX verdicts_by_return ON marks (${verdictNumber("return")}, episode) WHERE ${isVerdictMark};
  CREATE INDEX verdicts_by_steps ON marks (${verdictNumber("steps")}, episode) WHERE ${isVerdictMark};
`;

/** Statements that bring a log from the schema version of their key to the next version. */
const migrations: Readonly<Record<number, string>> = {
  3: `ALTER TABLE pages ADD COLUMN sum INTEGER; ALTER TABLE openings ADD COLUMN sum INTEGER;`,
  4: `
    ALTER TABLE extents ADD COLUMN lastPage INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE extents ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    DROP INDEX extents_by_page;
    CREATE INDEX extents_by_page ON extents (firstPage, lastPage);
    ${usageSchema} ${countBytes}
  `,
  5: `ALTER TABLE pages ADD COLUMN atMs INTEGER;`,
  6: `ALTER TABLE handles ADD COLUMN atMs INTEGER;`,
  7: summedTables.map((table) => `ALTER TABLE ${table} ADD COLUMN sum INTEGER;`).join("\n") + sumRows,
  8: verdictIndexes,
};

/**
 * Tables of the present version. Aliases are in the table `handles`, where `surface` is the namespace and `handle` the
 * alias. Reset results are in `openings`.
 */
const schema = `
  CREATE TABLE episodes (
    key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, environment TEXT NOT NULL, split TEXT NOT NULL,
    taskIndex INTEGER NOT NULL, seed INTEGER NOT NULL, options TEXT NOT NULL, maxSteps INTEGER NOT NULL, owner TEXT NOT NULL, createdAtMs INTEGER NOT NULL,
    leaseMs INTEGER NOT NULL, parent TEXT, idempotencyKey TEXT, requestDigest TEXT, sum INTEGER
  );
  CREATE UNIQUE INDEX episodes_by_idempotency_key ON episodes (owner, idempotencyKey) WHERE idempotencyKey IS NOT NULL;
  CREATE INDEX episodes_by_owner ON episodes (owner, key);
  CREATE TABLE openings (episode INTEGER PRIMARY KEY, opening TEXT NOT NULL, sum INTEGER);
  CREATE TABLE marks (episode INTEGER NOT NULL, kind TEXT NOT NULL, detail TEXT NOT NULL, atMs INTEGER NOT NULL, sum INTEGER);
  CREATE INDEX marks_by_episode ON marks (episode);
  ${verdictIndexes}
  CREATE TABLE handles (surface TEXT NOT NULL, handle INTEGER NOT NULL, owner TEXT NOT NULL, episodeId TEXT, atMs INTEGER, sum INTEGER);
  CREATE INDEX handles_by_number ON handles (surface, handle);
  ${stepTableSchema} ${usageSchema}
`;

/**
 * Creates the tables, or migrates them to the current version, and adds the function `rowSum`. @throws {Error} if the
 * log has an unknown version
 */
export function migrate(database: Database.Database): void {
  const version = database.pragma("user_version", { simple: true }) as number;
  addRowSum(database);
  if (version === schemaVersion) return;
  if (version !== 0) expectKnownSchema(version);
  database.transaction(() => {
    if (version === 0) database.exec(schema);
    else for (let from = version; from < schemaVersion; from++) database.exec(migrations[from] as string);
    database.pragma(`user_version = ${schemaVersion}`);
  })();
}

/** @throws {Error} the version is not the present one, and no migration leads from it to the present one */
export function expectKnownSchema(version: number): void {
  if (version === schemaVersion || migrations[version]) return;
  if (version === unfinishedVersion) throw new Error(unfinishedCopy("the file"));
  const known = `version ${Object.keys(migrations)[0]} to ${schemaVersion}`;
  throw new Error(`expected an episode log with schema ${known}, but received version ${version}`);
}
