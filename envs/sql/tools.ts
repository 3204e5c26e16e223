import type { Tool, ToolParameters } from "../env.js";

export const tools: readonly Tool[] = [
  {
    name: "schema",
    description: "Shows all tables of the database, with their columns and keys.",
    parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
    action: "schema",
  },
  {
    name: "table",
    description: "Shows one table: its columns, the number of its rows, and the first three rows.",
    parameters: parameter("table", "Name of the table."),
    action: "schema {table}",
  },
  {
    name: "query",
    description: "Runs a query that reads, and shows its first 50 rows.",
    parameters: parameter("sql", "One SELECT, WITH, VALUES or EXPLAIN statement of SQLite."),
    action: "query {sql}",
  },
  {
    name: "submit",
    description: "Submits the query that answers the question, and ends the task.",
    parameters: parameter("sql", "One SELECT or WITH statement of SQLite."),
    action: "submit {sql}",
  },
];

function parameter(name: string, description: string): ToolParameters {
  return {
    type: "object",
    properties: { [name]: { type: "string", description } },
    required: [name],
    additionalProperties: false,
  };
}
