/** Pairs of differently written queries over any schema. Keys and references determine whether their rows are equal. */
import type Database from "better-sqlite3";
import { columnsOf, linksOf } from "#palestra/envs/sql/questions/ask.js";
import { type Column, keyOf, type Schema } from "#palestra/envs/sql/schemas/schema.js";
import type { Case } from "./comparison-cases.js";

/** Names used in the queries. */
interface Names {
  parent: string;
  key: string;
  child: string;
  ref: string;
  childKey: string;
  /** A numeric column of the child, its median, and a greater value. */
  column: string;
  low: number;
  high: number;
}

export function structuralCases(schema: Schema, database: Database.Database): Case[] {
  const names = namesIn(schema, database);
  const count = (sql: string) => (database.prepare(sql).raw().all() as unknown[]).length;
  return [...rewritings(names), ...mistakes(names, count)];
}

function namesIn(schema: Schema, database: Database.Database): Names {
  const link = linksOf(schema).find(({ child }) => columnsOf(child, "integer", "real").length > 0);
  if (!link) throw new Error(`expected numbers in a table of ${schema.name} that refers to another, but found none`);
  const column = columnsOf(link.child, "integer", "real")[0] as Column;
  const child = link.child.name;
  const values = database
    .prepare(`SELECT ${column.name} FROM ${child} WHERE ${column.name} IS NOT NULL ORDER BY 1`)
    .pluck()
    .all() as number[];
  const at = (share: number) => values[Math.floor(values.length * share)] as number;
  const tables = { parent: link.parent.name, key: keyOf(link.parent), child, ref: link.ref.name };
  return { ...tables, childKey: keyOf(link.child), column: column.name, low: at(0.3), high: at(0.7) };
}

/** Returns pairs with the same rows. */
function rewritings({ parent: p, key, child: c, ref, childKey, column: x, low, high }: Names): Case[] {
  const range = `${x} >= ${low} AND ${childKey} > 20`;
  const pairs: [string, string, string, boolean?][] = [
    [
      "IN as EXISTS",
      `SELECT ${key} FROM ${p} WHERE ${key} IN (SELECT ${ref} FROM ${c})`,
      `SELECT a.${key} FROM ${p} a WHERE EXISTS (SELECT 1 FROM ${c} b WHERE b.${ref} = a.${key})`,
    ],
    [
      "IN as a join",
      `SELECT ${key} FROM ${p} WHERE ${key} IN (SELECT ${ref} FROM ${c})`,
      `SELECT DISTINCT a.${key} FROM ${p} a JOIN ${c} b ON b.${ref} = a.${key}`,
    ],
    [
      "NOT IN as LEFT JOIN",
      `SELECT ${key} FROM ${p} WHERE ${key} NOT IN (SELECT ${ref} FROM ${c} WHERE ${ref} IS NOT NULL)`,
      `SELECT a.${key} FROM ${p} a LEFT JOIN ${c} b ON b.${ref} = a.${key} WHERE b.${childKey} IS NULL`,
    ],
    [
      "conjuncts in another order",
      `SELECT ${childKey}, ${x} FROM ${c} WHERE ${range}`,
      `SELECT t.${childKey}, t.${x} FROM ${c} AS t WHERE t.${childKey} > 20 AND t.${x} >= ${low}`,
    ],
    [
      "De Morgan",
      `SELECT ${childKey} FROM ${c} WHERE ${range}`,
      `SELECT ${childKey} FROM ${c} WHERE NOT (NOT ${x} >= ${low} OR NOT ${childKey} > 20)`,
    ],
    [
      "AND as INTERSECT",
      `SELECT ${childKey} FROM ${c} WHERE ${range}`,
      `SELECT ${childKey} FROM ${c} WHERE ${x} >= ${low} INTERSECT SELECT ${childKey} FROM ${c} WHERE ${childKey} > 20`,
    ],
    [
      "BETWEEN as two comparisons",
      `SELECT ${childKey} FROM ${c} WHERE ${x} BETWEEN ${low} AND ${high}`,
      `SELECT ${childKey} FROM ${c} WHERE ${x} >= ${low} AND ${x} <= ${high}`,
    ],
    [
      "AVG as SUM and COUNT",
      `SELECT ${ref}, AVG(${x}) FROM ${c} GROUP BY ${ref}`,
      `SELECT ${ref}, SUM(${x}) * 1.0 / COUNT(${x}) FROM ${c} GROUP BY ${ref}`,
    ],
    [
      "GROUP BY as a subquery",
      `SELECT ${ref}, COUNT(*) FROM ${c} WHERE ${ref} IS NOT NULL GROUP BY ${ref}`,
      `SELECT DISTINCT a.${ref}, (SELECT COUNT(*) FROM ${c} b WHERE b.${ref} = a.${ref}) FROM ${c} a WHERE a.${ref} IS NOT NULL`,
    ],
    [
      "COUNT as SUM",
      `SELECT COUNT(*) FROM ${c} WHERE ${x} > ${low}`,
      `SELECT SUM(CASE WHEN ${x} > ${low} THEN 1 ELSE 0 END) FROM ${c}`,
    ],
    [
      "LIMIT as a rank",
      `SELECT ${key} FROM ${p} ORDER BY ${key} DESC LIMIT 5`,
      `SELECT a.${key} FROM ${p} a WHERE (SELECT COUNT(*) FROM ${p} b WHERE b.${key} > a.${key}) < 5 ORDER BY a.${key} DESC`,
      true,
    ],
    [
      "MAX as ORDER BY",
      `SELECT MAX(${x}) FROM ${c}`,
      `SELECT ${x} FROM ${c} WHERE ${x} IS NOT NULL ORDER BY ${x} DESC LIMIT 1`,
    ],
  ];
  return pairs.map(([change, gold, sql, ordered = false]) => ({ change, gold, sql, ordered, equal: true }));
}

/** Returns pairs with a mistake that changes the number of rows or the keys. */
function mistakes(names: Names, count: (sql: string) => number): Case[] {
  const { parent: p, key, child: c, ref, childKey, column: x, low, high } = names;
  const pairs: [string, string, string][] = [
    [
      "a join without DISTINCT",
      `SELECT ${key} FROM ${p} WHERE ${key} IN (SELECT ${ref} FROM ${c})`,
      `SELECT a.${key} FROM ${p} a JOIN ${c} b ON b.${ref} = a.${key}`,
    ],
    [
      "another constant",
      `SELECT ${childKey} FROM ${c} WHERE ${x} > ${low}`,
      `SELECT ${childKey} FROM ${c} WHERE ${x} > ${high}`,
    ],
    [
      "the negation",
      `SELECT ${childKey} FROM ${c} WHERE ${x} > ${low}`,
      `SELECT ${childKey} FROM ${c} WHERE NOT ${x} > ${low}`,
    ],
    [
      "OR for AND",
      `SELECT ${childKey} FROM ${c} WHERE ${x} > ${low} AND ${childKey} > 20`,
      `SELECT ${childKey} FROM ${c} WHERE ${x} > ${low} OR ${childKey} > 20`,
    ],
    [
      "a join for a LEFT JOIN",
      `SELECT a.${key}, b.${childKey} FROM ${p} a LEFT JOIN ${c} b ON b.${ref} = a.${key}`,
      `SELECT a.${key}, b.${childKey} FROM ${p} a JOIN ${c} b ON b.${ref} = a.${key}`,
    ],
    ["no condition", `SELECT ${childKey} FROM ${c} WHERE ${x} > ${low}`, `SELECT ${childKey} FROM ${c}`],
  ];
  const made = pairs.filter(([, gold, sql]) => count(gold) !== count(sql));
  // Keys are unique, so the first five and the last five of more than five rows differ.
  if (count(`SELECT ${key} FROM ${p}`) > 5)
    made.push([
      "the other end",
      `SELECT ${key} FROM ${p} ORDER BY ${key} LIMIT 5`,
      `SELECT ${key} FROM ${p} ORDER BY ${key} DESC LIMIT 5`,
    ]);
  return made.map(([change, gold, sql]) => ({ change, gold, sql, ordered: false, equal: false }));
}
