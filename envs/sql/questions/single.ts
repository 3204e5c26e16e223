/** Questions about one table. */
import { keyOf, type Table } from "../schemas/schema.js";
import { type Ask, columnsOf, type Family, namesOf } from "./ask.js";

const filter: Family = {
  title: "rows that meet a condition",
  difficulty: 1,
  build(ask) {
    const table = ask.table();
    const condition = table && ask.condition(table);
    if (!table || !condition) return null;
    const columns = shownColumns(ask, table, condition.column.name);
    const from = `SELECT ${columns.join(", ")} FROM ${table.name}`;
    const question = ask.say(
      `List all ${table.many} ${condition.words}.`,
      `Which ${table.many} are there ${condition.words}?`,
    );
    return { question, columns, gold: `${from} WHERE ${condition.sql}`, traps: [from] };
  },
};

const count: Family = {
  title: "number of rows",
  difficulty: 1,
  build(ask) {
    const table = ask.table();
    const first = table && ask.condition(table);
    const second = table && first && ask.condition(table, "", [first.column.name]);
    if (!table || !first || !second) return null;
    const [word, sign] = ask.pick([
      ["and", "AND"],
      ["or", "OR"],
    ] as const);
    const from = `SELECT COUNT(*) FROM ${table.name}`;
    const words = `${first.words} ${word} ${second.words}`;
    const question = ask.say(`How many ${table.many} are there ${words}?`, `Count the ${table.many} ${words}.`);
    const gold = `${from} WHERE ${first.sql} ${sign} ${second.sql}`;
    return { question, columns: [`the number of ${table.many}`], gold, traps: [from, `${from} WHERE ${first.sql}`] };
  },
};

const aggregate: Family = {
  title: "sum, average or extreme of a column",
  difficulty: 2,
  build(ask) {
    const table = ask.table((each) => columnsOf(each, "integer", "real").length > 0);
    const column = table && ask.column(table, "integer", "real");
    const condition = table && column && ask.condition(table, "", [column.name]);
    if (!table || !column || !condition) return null;
    const [name, words] = ask.pick([
      ["AVG", "average"],
      ["SUM", "sum of the"],
      ["MIN", "lowest"],
      ["MAX", "highest"],
    ] as const);
    const from = `SELECT ${name}(${column.name}) FROM ${table.name}`;
    const what = `the ${words} ${column.label}`;
    const question = ask.say(
      `What is ${what} of all ${table.many} ${condition.words}?`,
      `For the ${table.many} ${condition.words}, find ${what}.`,
    );
    return { question, columns: [what], gold: `${from} WHERE ${condition.sql}`, traps: [from] };
  },
};

const distinct: Family = {
  title: "different values of a column",
  difficulty: 2,
  build(ask) {
    const table = ask.table((each) => columnsOf(each, "choice", "text").length > 0);
    const column = table && ask.column(table, "choice", "text", "ref");
    const condition = table && column && ask.condition(table, "", [column.name]);
    if (!table || !column || !condition) return null;
    const where = `FROM ${table.name} WHERE ${condition.sql}`;
    const values = `different values of ${column.name}`;
    const some = `the ${table.many} ${condition.words}`;
    if (ask.random.random() < 0.5) {
      const gold = `SELECT COUNT(DISTINCT ${column.name}) ${where}`;
      const question = `How many ${values} do ${some} have? NULL is not a value.`;
      return { question, columns: [`the number of ${values}`], gold, traps: [`SELECT COUNT(${column.name}) ${where}`] };
    }
    const gold = `SELECT DISTINCT ${column.name} ${where} AND ${column.name} IS NOT NULL`;
    const question = `${ask.say("List", "Show", "Give")} the ${values} among ${some}, each value once and without NULL.`;
    return { question, columns: [column.name], gold, traps: [`SELECT ${column.name} ${where}`] };
  },
};

const missing: Family = {
  title: "missing values",
  difficulty: 2,
  build(ask) {
    const table = ask.table((each) => each.columns.some(({ nulls }) => nulls > 0));
    if (!table) return null;
    const column = ask.pick(table.columns.filter(({ nulls }) => nulls > 0));
    const condition = ask.condition(table, "", [column.name]);
    if (!condition) return null;
    const isCount = ask.random.random() < 0.4;
    const columns = isCount ? [`the number of ${table.many}`] : namesOf(table);
    const from = `SELECT ${isCount ? "COUNT(*)" : columns.join(", ")} FROM ${table.name} WHERE ${condition.sql}`;
    const [not, words] = ask.pick([
      ["", "is missing (NULL)"],
      ["NOT ", "is known (not NULL)"],
    ] as const);
    const which = `${table.many} ${condition.words} and whose ${column.label} ${words}`;
    const question = isCount ? `Count the ${which}.` : `${ask.say("List", "Find", "Show")} all ${which}.`;
    return { question, columns, gold: `${from} AND ${column.name} IS ${not}NULL`, traps: [from] };
  },
};

const dates: Family = {
  title: "dates within a range",
  difficulty: 2,
  build(ask) {
    const table = ask.table((each) => columnsOf(each, "date").length > 0);
    const column = table && ask.column(table, "date");
    if (!table || !column) return null;
    const from = ask.quantile(table, column, 0.1 + 0.3 * ask.random.random());
    const to = ask.quantile(table, column, 0.6 + 0.3 * ask.random.random());
    const columns = [keyOf(table), column.name];
    const select = `SELECT ${columns.join(", ")} FROM ${table.name} WHERE ${column.name}`;
    const question = ask.say(
      `List the ${table.many} whose ${column.label} is from ${from} to ${to}, both days included.`,
      `Which ${table.many} have ${column.label} between ${from} and ${to}? Both days count.`,
    );
    return {
      question,
      columns,
      gold: `${select} BETWEEN '${from}' AND '${to}'`,
      traps: [`${select} > '${from}' AND ${column.name} < '${to}'`, `${select} >= '${from}'`],
    };
  },
};

const top: Family = {
  title: "first rows of an order",
  difficulty: 2,
  build(ask) {
    const table = ask.table((each) => columnsOf(each, "integer", "real", "date").length > 0);
    const column = table && ask.column(table, "integer", "real", "date");
    if (!table || !column) return null;
    const size = ask.random.randint(3, 10);
    const isDate = column.make.kind === "date";
    const [way, word] = ask.pick([
      ["DESC", isDate ? "latest" : "highest"],
      ["ASC", isDate ? "earliest" : "lowest"],
    ] as const);
    const key = keyOf(table);
    const columns = [key, column.name];
    const from = `SELECT ${columns.join(", ")} FROM ${table.name} WHERE ${column.name} IS NOT NULL ORDER BY ${column.name}`;
    const question = ask.say(
      `Find the ${size} ${table.many} with the ${word} ${column.label}.`,
      `Which ${size} ${table.many} have the ${word} ${column.label}?`,
    );
    return {
      question: `${question} Leave out rows where it is NULL.`,
      columns,
      gold: `${from} ${way}, ${key} LIMIT ${size}`,
      order: `${column.name}, ${word} first, and where it is equal by ${key}, lowest first. The limit of ${size} applies to this order`,
      traps: [
        `${from} ${way}, ${key} LIMIT ${size - 1}`,
        `${from} ${way === "ASC" ? "DESC" : "ASC"}, ${key} LIMIT ${size}`,
      ],
    };
  },
};

const years: Family = {
  title: "figures for each year",
  difficulty: 3,
  build(ask) {
    const table = ask.table((each) => columnsOf(each, "date").length > 0);
    const column = table && ask.column(table, "date");
    if (!table || !column) return null;
    const number = ask.column(table, "integer", "real");
    const figures = ["COUNT(*)", ...(number ? [`AVG(${number.name})`] : [])];
    const gold = `SELECT strftime('%Y', ${column.name}), ${figures.join(", ")} FROM ${table.name} WHERE ${column.name} IS NOT NULL GROUP BY 1 ORDER BY 1`;
    const words = [`the number of ${table.many}`, ...(number ? [`the average ${number.label}`] : [])];
    const question = ask.say(
      `For each year of the ${column.label}, find ${words.join(" and ")}.`,
      `Group the ${table.many} by the year of their ${column.label}: give ${words.join(" and ")} of each year.`,
    );
    return {
      question: `${question} Leave out ${table.many} without ${column.label}.`,
      columns: ["the year as a text of four digits", ...words],
      gold,
      order: "the year, earliest first",
      traps: [gold.replace("ORDER BY 1", "ORDER BY 1 DESC"), ...(number ? [gold.replace("AVG", "SUM")] : [])],
    };
  },
};

export const single = { filter, count, aggregate, distinct, missing, dates, top, years };

/**
 * Returns the names of the columns to show: primary key, text columns that identify the row, and the condition's
 * column.
 */
function shownColumns(ask: Ask, table: Table, column: string): string[] {
  const names = namesOf(table);
  return ask.random.random() < 0.5 || names.includes(column) ? names : [...names, column];
}
