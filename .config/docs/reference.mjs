/** Writes the reference of the API from the OpenAPI document: a page for each group of operations, and one of all types. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../step.mjs";

const folder = "openapi/reference";
const typesPage = `/${folder}/types.html`;

/** Titles of the tags in the order of the sidebar. */
const groups = {
  v1: "Episodes and tasks",
  streams: "Replay",
  exports: "Exports",
  events: "Events",
  agentgym: "AgentGym",
  openenv: "OpenEnv",
  ors: "Open Reward Standard",
  health: "Health",
};

/** @returns pages `{ file, title, summary, text }` */
export function referencePages() {
  const document = JSON.parse(readFileSync(join(root, "openapi/gym.openapi.json"), "utf8"));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
  const tags = [...new Set(operations.map(({ tags }) => tags[0]))];
  const ordered = [
    ...Object.keys(groups).filter((tag) => tags.includes(tag)),
    ...tags.filter((tag) => !(tag in groups)),
  ];
  const described = new Map(document.tags.map(({ name, description }) => [name, description]));
  return [
    ...ordered.map((tag) =>
      groupPage(
        tag,
        described.get(tag) ?? "",
        operations.filter((operation) => operation.tags[0] === tag),
      ),
    ),
    typesOf(document),
  ];
}

function groupPage(tag, description, operations) {
  const title = groups[tag] ?? tag;
  const rows = operations.map(
    ({ method, path, operationId, summary }) =>
      `| [\`${method} ${path}\`](#${operationId.toLowerCase()}) | ${cell(summary)} |`,
  );
  const common = commonErrors(operations);
  const text = [
    `# ${title}`,
    description,
    ["| operation | effect |", "|---|---|", ...rows].join("\n"),
    ...errorsSection("Errors of every operation", common),
    ...operations.flatMap((operation) => operationSection(operation, common)),
  ];
  return { file: `${folder}/${tag}.md`, title, summary: description, text: `${text.join("\n\n")}\n` };
}

function operationSection(operation, common) {
  const { method, path, operationId, summary, description, parameters = [], requestBody, responses } = operation;
  return [
    `## ${operationId}`,
    `\`${method} ${path}\``,
    cell(summary ?? ""),
    ...(description ? [prose(description)] : []),
    ...parametersTable(parameters),
    ...bodiesTable(requestBody, responses),
    ...errorsSection(
      "",
      errorsOf(operation).filter((code) => !common.includes(code)),
    ),
  ];
}

function parametersTable(parameters) {
  if (parameters.length === 0) return [];
  const rows = parameters.map(
    ({ name, in: place, required, schema, description }) =>
      `| \`${name}\` | ${place} | ${cell(typeOf(schema))} | ${required ? "yes" : "no"} | ${cell(description ?? "")} |`,
  );
  return [["| parameter | in | type | required | meaning |", "|---|---|---|---|---|", ...rows].join("\n")];
}

function bodiesTable(requestBody, responses) {
  const bodies = [
    ...Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => ["request", type, schema]),
    ...Object.entries(responses)
      .filter(([status]) => Number(status) < 400)
      .flatMap(([status, { content = {} }]) =>
        Object.entries(content).map(([type, { schema }]) => [`reply ${status}`, type, schema]),
      ),
  ];
  if (bodies.length === 0) return [];
  const rows = bodies.map(([what, type, schema]) => `| ${what} | \`${type}\` | ${cell(typeOf(schema))} |`);
  return [["| body | media type | type |", "|---|---|---|", ...rows].join("\n")];
}

/** The codes of an operation's errors. A description that is not a list of codes is left out. */
function errorsOf({ responses }) {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { description = "" }]) => description.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []);
}

function commonErrors(operations) {
  const [first, ...others] = operations.map(errorsOf);
  return others.length === 0 ? [] : first.filter((code) => others.every((codes) => codes.includes(code)));
}

function errorsSection(title, codes) {
  if (codes.length === 0) return [];
  const list = codes.map((code) => `\`${code}\``).join(", ");
  return [`${title || "Errors"}: ${list}. [All errors](/openapi/errors.html).`];
}

function typesOf({ components }) {
  const sections = Object.entries(components.schemas).flatMap(([name, schema]) => [
    `## ${name}`,
    ...(schema.description ? [prose(schema.description)] : []),
    Object.keys(schema.properties ?? {}).length > 0 ? fieldsTable(schema) : typeOf(schema),
  ]);
  const summary = "The types of requests and replies.";
  const text = ["# Types", summary, ...sections].join("\n\n");
  return { file: `${folder}/types.md`, title: "Types", summary, text: `${text}\n` };
}

function fieldsTable({ properties, required = [] }) {
  const rows = Object.entries(properties).map(
    ([name, schema]) =>
      `| \`${name}\` | ${cell(typeOf(schema))} | ${required.includes(name) ? "yes" : "no"} | ${cell(schema.description ?? "")} |`,
  );
  return ["| field | type | required | meaning |", "|---|---|---|---|", ...rows].join("\n");
}

/** A schema as Markdown, in one line: a link to a named type, or the form of the values. */
export function typeOf(schema = {}) {
  if (schema.$ref) {
    const name = schema.$ref.split("/").pop();
    return `[${name}](${typesPage}#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(" or ");
  if (schema.type === "array") return `list of ${typeOf(schema.items)}`;
  if (schema.properties && Object.keys(schema.properties).length === 0) return "object without fields";
  if (schema.properties) return `object of ${fieldsOf(schema)}`;
  if (schema.type === "object" && typeof schema.additionalProperties === "object")
    return `object with values of ${typeOf(schema.additionalProperties)}`;
  return `${[schema.type ?? "any value"].flat().join(" or ")}${bounds(schema)}`;
}

function fieldsOf({ properties, required = [] }) {
  return Object.entries(properties)
    .map(([name, schema]) => `\`${name}\`${required.includes(name) ? "" : "?"}: ${typeOf(schema)}`)
    .join("; ");
}

/** Limits that no caller reaches are left out. */
function bounds({ minimum, maximum, maxLength, default: value }) {
  const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  const least = minimum !== undefined && minimum > -Number.MAX_SAFE_INTEGER ? minimum : undefined;
  const parts = [
    ...(least !== undefined && most !== undefined ? [`${least} to ${most}`] : []),
    ...(least !== undefined && most === undefined ? [`at least ${least}`] : []),
    ...(least === undefined && most !== undefined ? [`at most ${most}`] : []),
    ...(maxLength !== undefined ? [`at most ${maxLength} characters`] : []),
    ...(value !== undefined ? [`default \`${JSON.stringify(value)}\``] : []),
  ];
  return parts.length === 0 ? "" : `, ${parts.join(", ")}`;
}

/** Text for a cell of a table. */
function cell(text) {
  return prose(text)
    .replace(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|");
}

/** The document names pages of the repository by their paths. */
function prose(text) {
  return text.replace(/\bopenapi\/(socket|errors|events)\.md\b/g, (path, name) => `[${path}](/openapi/${name}.html)`);
}
