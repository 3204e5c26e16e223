/** Questions that require a join of two or three tables. */
import { keyOf } from "../schemas/schema.js";
import { type Ask, columnsOf, type Family, have, its, joined, type Link, linksOf, listed, namesOf } from "./ask.js";

const join: Family = {
  title: "rows with what they refer to",
  difficulty: 2,
  build(ask) {
    const link = ask.link(({ parent }) => namesOf(parent).length > 1);
    const condition = link && ask.condition(link.parent, link.parent.name);
    if (!link || !condition) return null;
    const { child, parent, ref } = link;
    const shown = namesOf(parent)[1] as string;
    const columns = [keyOf(child), shown];
    const from = `SELECT ${child.name}.${columns[0]}, ${parent.name}.${shown} FROM ${child.name} JOIN ${parent.name} ON ${joined(link)}`;
    const some = `the ${child.many} with a ${ref.label} ${condition.words}`;
    return {
      question: ask.say(`List ${some}.`, `Find ${some}, and show the ${ref.label}, too.`),
      columns: [`${columns[0]} of the ${child.one}`, `${shown} of the ${ref.label}`],
      gold: `${from} WHERE ${condition.sql}`,
      traps: [from],
    };
  },
};

const group: Family = {
  title: "number of rows for each other row",
  difficulty: 3,
  build(ask) {
    const link = ask.link();
    if (!link) return null;
    const { child, parent } = link;
    const names = namesOf(parent);
    const counted = `COUNT(${child.name}.${keyOf(child)})`;
    const sql = (how: string) =>
      `SELECT ${listed(parent.name, names)}, ${counted} FROM ${parent.name} ${how} ${child.name} ON ${joined(link)} GROUP BY ${parent.name}.${keyOf(parent)}`;
    const isAll = ask.random.random() < 0.6;
    const which = isAll ? "Include those with none, with the number 0." : "Leave out those with none.";
    return {
      question: `${ask.say(`For each ${parent.one}, count ${its(link)}.`, `How many are ${its(link)}, for each ${parent.one}?`)} ${which}`,
      columns: [...names, `the number of ${child.many}`],
      gold: sql(isAll ? "LEFT JOIN" : "JOIN"),
      traps: [sql(isAll ? "JOIN" : "LEFT JOIN")],
    };
  },
};

const having: Family = {
  title: "groups that meet a condition",
  difficulty: 3,
  build(ask) {
    const link = ask.link();
    if (!link) return null;
    const { child, parent } = link;
    const column = ask.column(child, "integer", "real");
    const names = namesOf(parent);
    const from = `SELECT ${listed(parent.name, names)} FROM ${parent.name} JOIN ${child.name} ON ${joined(link)} GROUP BY ${parent.name}.${keyOf(parent)}`;
    if (column && ask.random.random() < 0.5) {
      const bound = ask.quantile(child, column, 0.35 + 0.3 * ask.random.random());
      const question = `Which ${parent.many} are there for which the average ${column.label} of ${its(link)} is above ${bound}?`;
      const gold = `${from} HAVING AVG(${child.name}.${column.name}) > ${bound}`;
      return { question, columns: names, gold, traps: [from] };
    }
    const least = ask.random.randint(2, 9);
    const gold = `${from} HAVING COUNT(*) >= ${least}`;
    const question = ask.say(
      `Which ${parent.many} ${have(link, `at least ${least}`).replace(child.one, child.many)}?`,
      `Find the ${parent.many} that ${have(link, `${least} or more`).replace(child.one, child.many)}.`,
    );
    return { question, columns: names, gold, traps: [from, `${from} HAVING COUNT(*) > ${least}`] };
  },
};

const without: Family = {
  title: "rows that nothing refers to",
  difficulty: 3,
  build(ask) {
    const link = ask.link();
    if (!link) return null;
    const { child, parent, ref } = link;
    const condition = ask.random.random() < 0.6 ? ask.condition(child) : undefined;
    const names = namesOf(parent);
    const from = `SELECT ${names.join(", ")} FROM ${parent.name}`;
    const inner = `SELECT ${ref.name} FROM ${child.name} WHERE ${ref.name} IS NOT NULL`;
    const sql = (not: string, where: string) => `${from} WHERE ${keyOf(parent)} ${not}IN (${inner}${where})`;
    const where = condition ? ` AND ${condition.sql}` : "";
    const what = `${have(link, "no")}${condition ? ` ${condition.words}` : ""}`;
    const question = ask.say(`Which ${parent.many} ${what}?`, `Find all ${parent.many} that ${what}.`);
    return { question, columns: names, gold: sql("NOT ", where), traps: [from, sql("", where)] };
  },
};

const path: Family = {
  title: "figures over three tables",
  difficulty: 4,
  build(ask) {
    const route = routeOf(ask);
    if (!route) return null;
    const { lower, upper } = route;
    const { parent } = upper;
    const column = ask.column(lower.child, "integer", "real");
    const names = namesOf(parent);
    const figure = column ? `SUM(${lower.child.name}.${column.name})` : "COUNT(*)";
    const words = column ? `the sum of the ${column.label}` : "the number";
    const condition = ask.condition(upper.child, upper.child.name);
    const body = `FROM ${parent.name} JOIN ${upper.child.name} ON ${joined(upper)} JOIN ${lower.child.name} ON ${joined(lower)}`;
    const end = `GROUP BY ${parent.name}.${keyOf(parent)}`;
    const sql = (where: string, what = figure) =>
      `SELECT ${listed(parent.name, names)}, ${what} ${body}${where} ${end}`;
    if (!condition) return null;
    const chain = `all ${lower.child.many} of ${its(upper)} ${condition.words}`;
    return {
      question: `For each ${parent.one}, find ${words} of ${chain}. Each ${lower.child.one} counts for the ${upper.child.one} that is its ${lower.ref.label}. Leave out each ${parent.one} without such ${lower.child.many}.`,
      columns: [...names, column ? words : `the number of ${lower.child.many}`],
      gold: sql(` WHERE ${condition.sql}`),
      traps: [sql(""), ...(column ? [sql(` WHERE ${condition.sql}`, "COUNT(*)")] : [])],
    };
  },
};

export const linked = { join, group, having, without, path };

/** Returns a chain of two foreign keys, or undefined. The child table of `upper` is the parent table of `lower`. */
function routeOf(ask: Ask): { lower: Link; upper: Link } | undefined {
  const links = linksOf(ask.schema);
  const routes = links.flatMap((lower) =>
    links
      .filter(({ child, parent }) => child === lower.parent && parent !== lower.child && parent !== child)
      .map((upper) => ({ lower, upper })),
  );
  const numeric = routes.filter(({ lower }) => columnsOf(lower.child, "integer", "real").length > 0);
  const from = numeric.length > 0 ? numeric : routes;
  return from.length === 0 ? undefined : ask.pick(from);
}
