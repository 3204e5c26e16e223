import type { Tool } from "../env.js";
import { mostShown } from "../sqlite/query.js";
import { parameter, readingTools } from "../tools/sql.js";

export const tools: readonly Tool[] = [
  ...readingTools(mostShown, "schema {table}"),
  {
    name: "submit",
    description: "Submits the query that answers the question, and ends the task.",
    parameters: parameter("sql", "One SELECT or WITH statement of SQLite."),
    action: "submit {sql}",
  },
];
