import type { Tool } from "../env.js";
import { mostShown } from "../shared/sqlite/query.js";
import { parameter, readingTools } from "../shared/tools/sql.js";

export const tools: readonly Tool[] = [
  ...readingTools(mostShown, "schema {table}"),
  {
    name: "submit",
    description: "Submits the query that answers the question, and ends the task.",
    parameters: parameter("sql", "One SELECT or WITH statement of SQLite."),
    action: "submit {sql}",
  },
];
