/** Questions whose gold query contains a subquery. */
import { keyOf } from "../schemas/schema.js";
import { columnsOf, type Family, have, its, joined, listed, namesOf } from "./ask.js";

const average: Family = {
  title: "rows above or below the average",
  difficulty: 3,
  build(ask) {
    const table = ask.table((each) => columnsOf(each, "integer", "real").length > 0);
    const column = table && ask.column(table, "integer", "real");
    const condition = table && column && ask.condition(table, "", [column.name]);
    if (!table || !column || !condition) return null;
    const [sign, word] = ask.pick([
      [">", "above"],
      ["<", "below"],
    ] as const);
    const columns = [...namesOf(table), column.name];
    const sql = (inner: string, outer: string) =>
      `SELECT ${columns.join(", ")} FROM ${table.name} WHERE ${column.name} ${sign} (SELECT AVG(${column.name}) FROM ${table.name}${inner})${outer}`;
    const where = condition.sql;
    return {
      question: `${ask.say("List", "Find", "Show")} the ${table.many} ${condition.words} and whose ${column.label} is ${word} the average ${column.label} of all ${table.many}.`,
      columns,
      gold: sql("", ` AND ${where}`),
      traps: [sql("", ""), sql(` WHERE ${where}`, ` AND ${where}`)],
    };
  },
};

const peers: Family = {
  title: "rows above the average of their group",
  difficulty: 4,
  build(ask) {
    const link = ask.link(({ child }) => columnsOf(child, "integer", "real").length > 0);
    const column = link && ask.column(link.child, "integer", "real");
    if (!link || !column) return null;
    const { child, ref } = link;
    const columns = [keyOf(child), ref.name, column.name];
    const outer = `SELECT ${listed("a", columns)} FROM ${child.name} a WHERE a.${column.name} >`;
    const inner = `SELECT AVG(b.${column.name}) FROM ${child.name} b`;
    return {
      question: `Which ${child.many} have a higher ${column.label} than the average of all ${child.many} with the same ${ref.label} (themselves included)?`,
      columns,
      gold: `${outer} (${inner} WHERE b.${ref.name} = a.${ref.name})`,
      traps: [`${outer} (${inner})`],
    };
  },
};

const both: Family = {
  title: "rows in both sets, or in one alone",
  difficulty: 4,
  build(ask) {
    const link = ask.link();
    const first = link && ask.condition(link.child);
    const second = link && ask.condition(link.child);
    if (!link || !first || !second || first.sql === second.sql) return null;
    const { child, parent, ref } = link;
    const [operator, word] = ask.pick([
      ["INTERSECT", "and also"],
      ["EXCEPT", "but do not"],
    ] as const);
    const part = (where: string) => `SELECT ${ref.name} FROM ${child.name} WHERE ${ref.name} IS NOT NULL AND ${where}`;
    const names = namesOf(parent);
    const outer = `SELECT ${names.join(", ")} FROM ${parent.name} WHERE ${keyOf(parent)} IN`;
    const first1 = `${have(link)} ${first.words}`;
    const also = operator === "EXCEPT" ? have(link).replace(/^are/, "be") : have(link);
    return {
      question: ask.say(
        `Which ${parent.many} ${first1}, ${word} ${also} ${second.words}?`,
        `Find the ${parent.many} that ${first1}, ${word} ${also} ${second.words}.`,
      ),
      columns: names,
      gold: `${outer} (${part(first.sql)} ${operator} ${part(second.sql)})`,
      traps: [
        `${outer} (${part(first.sql)})`,
        ...(operator === "INTERSECT" ? [`${outer} (${part(`${first.sql} AND ${second.sql}`)})`] : []),
      ],
    };
  },
};

const share: Family = {
  title: "percentage in each group",
  difficulty: 4,
  build(ask) {
    const link = ask.link();
    const condition = link && ask.condition(link.child, link.child.name);
    if (!link || !condition) return null;
    const { child, parent } = link;
    const names = namesOf(parent);
    const hits = `SUM(CASE WHEN ${condition.sql} THEN 1 ELSE 0 END)`;
    const sql = (figure: string) =>
      `SELECT ${listed(parent.name, names)}, ${figure} FROM ${parent.name} JOIN ${child.name} ON ${joined(link)} GROUP BY ${parent.name}.${keyOf(parent)}`;
    return {
      question: `For each ${parent.one}, what percentage of ${its(link)} are ${child.many} ${condition.words}? Give a number from 0 to 100 that is not rounded, and leave out each ${parent.one} without ${child.many}.`,
      columns: [...names, "the percentage"],
      gold: sql(`100.0 * ${hits} / COUNT(*)`),
      traps: [sql(`100 * ${hits} / COUNT(*)`), sql(`1.0 * ${hits} / COUNT(*)`)],
    };
  },
};

const best: Family = {
  title: "the extreme rows of each group",
  difficulty: 5,
  build(ask) {
    const link = ask.link(({ child }) => columnsOf(child, "integer", "real", "date").length > 0);
    const column = link && ask.column(link.child, "integer", "real", "date");
    if (!link || !column) return null;
    const { child, parent, ref } = link;
    const isDate = column.make.kind === "date";
    const [name, word] = ask.pick([
      ["MAX", isDate ? "latest" : "highest"],
      ["MIN", isDate ? "earliest" : "lowest"],
    ] as const);
    const key = keyOf(parent);
    const columns = [`${key} of the ${parent.one}`, `${keyOf(child)} of the ${child.one}`, column.name];
    const select = `SELECT ${parent.name}.${key}, ${child.name}.${keyOf(child)}, ${child.name}.${column.name} FROM ${parent.name} JOIN ${child.name} ON ${joined(link)} WHERE ${child.name}.${column.name} =`;
    const inner = `SELECT ${name}(b.${column.name}) FROM ${child.name} b`;
    return {
      question: `For each ${parent.one}, which of ${its(link)} has the ${word} ${column.label}? Where several share it, list all of them. Leave out each ${parent.one} without a ${column.label} in any of ${its(link)}.`,
      columns,
      gold: `${select} (${inner} WHERE b.${ref.name} = ${parent.name}.${key})`,
      traps: [`${select} (${inner})`],
    };
  },
};

const leaders: Family = {
  title: "groups ranked by a figure",
  difficulty: 5,
  build(ask) {
    const link = ask.link(({ child }) => columnsOf(child, "integer", "real").length > 0);
    const column = link && ask.column(link.child, "integer", "real");
    const condition = link && column && ask.condition(link.child, link.child.name, [column.name]);
    if (!link || !column || !condition) return null;
    const { child, parent } = link;
    const key = keyOf(parent);
    const names = namesOf(parent);
    const total = `SUM(${child.name}.${column.name})`;
    const size = ask.random.randint(3, 6);
    const sql = (where: string, way: string) =>
      `SELECT ${listed(parent.name, names)}, ${total}, 100.0 * ${total} / (SELECT SUM(${column.name}) FROM ${child.name}${where}) FROM ${parent.name} JOIN ${child.name} ON ${joined(link)}${where} GROUP BY ${parent.name}.${key} HAVING ${total} IS NOT NULL ORDER BY ROUND(${total}, 6) ${way}, ${parent.name}.${key} LIMIT ${size}`;
    const words = `the sum of the ${column.label}`;
    return {
      question: `Consider only the ${child.many} ${condition.words}. Which ${size} ${parent.many} have the highest sum of the ${column.label} over ${its(link)}, and what percentage (0 to 100, not rounded) is that of the sum over all these ${child.many}?`,
      columns: [...names, words, "the percentage"],
      gold: sql(` WHERE ${condition.sql}`, "DESC"),
      order: `${words}, highest first, and where it is equal by ${key}, lowest first. The limit of ${size} applies to this order`,
      traps: [sql("", "DESC"), sql(` WHERE ${condition.sql}`, "ASC")],
    };
  },
};

export const nested = { average, peers, both, share, best, leaders };
