/** Compares an agent's answer with the expected answer, like `AgentResponseEvaluator` of WebArena-Verified. */
import { type Difference, difference } from "./comparison.js";
import { type Reading, readValue } from "./formats/format.js";
import { text } from "./formats/text.js";
import { parseJson } from "./python/json.js";
import { fromJson, isDict, isList, isNumeric, isTruthy, type PyDict, type PyValue, pyStrip } from "./python/value.js";
import {
  type Comparable,
  type ComparableList,
  type ComparableObject,
  parseSchema,
  readBySchema,
  type Schema,
  toJson,
  Unsatisfiable,
  UnsupportedSpec,
} from "./schema.js";
import type { SiteAddresses } from "./site-addresses.js";

export interface AgentResponseSpec {
  evaluator: "AgentResponseEvaluator";
  taskType: TaskType;
  status: Reading;
  /** Elements that the answer must have, or null for an answer without elements. */
  retrieved: ComparableList | null;
  /** Schema of the elements, or null if the task expects no elements. */
  schema: Schema | null;
  isOrdered: boolean;
  /** Reason why no answer can be right, or null. A few public tasks have no right answer. */
  unsatisfiable: string | null;
}

export type TaskType = "RETRIEVE" | "MUTATE" | "NAVIGATE";

const taskTypes = ["RETRIEVE", "MUTATE", "NAVIGATE"];
const statuses = [
  "SUCCESS",
  "ACTION_NOT_ALLOWED_ERROR",
  "PERMISSION_DENIED_ERROR",
  "NOT_FOUND_ERROR",
  "DATA_VALIDATION_ERROR",
  "UNKNOWN_ERROR",
];

/** @throws {UnsupportedSpec} @throws {UnsupportedPattern} */
export function parseAgentResponse(config: Readonly<Record<string, unknown>>, sites: SiteAddresses): AgentResponseSpec {
  const expected = (config.expected ?? {}) as Readonly<Record<string, unknown>>;
  const { task_type: type, performed_operation: legacyType, status, retrieved_data: data, ...rest } = expected;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new UnsupportedSpec("expected", "task_type, status and retrieved_data", unknown);
  if (data !== undefined && data !== null && !Array.isArray(data))
    throw new UnsupportedSpec("expected.retrieved_data", "a list or null", data);
  const taskType = oneOf(taskTypes, "expected.task_type", type ?? legacyType) as TaskType;
  const isNull = (config.results_schema as { type?: unknown } | undefined)?.type === "null";
  const schema = isNull ? null : parseSchema(config.results_schema, "results_schema");
  if (schema && schema.kind !== "array") throw new UnsupportedSpec("results_schema.type", "array or null", schema.kind);
  const spec = {
    evaluator: "AgentResponseEvaluator" as const,
    taskType,
    status: reading(oneOf(statuses, "expected.status", status)),
    schema,
    isOrdered: config.ordered === true,
  };
  if (data === undefined) return { ...spec, retrieved: null, unsatisfiable: missingData };
  try {
    return { ...spec, retrieved: readRetrieved(fromJson(data), schema, sites, true), unsatisfiable: null };
  } catch (error) {
    if (!(error instanceof Unsatisfiable)) throw error;
    return { ...spec, retrieved: null, unsatisfiable: error.message };
  }
}

const missingData = "the task file has no retrieved_data, so no answer can be right";

function oneOf(values: readonly string[], what: string, value: unknown): string {
  const upper = typeof value === "string" ? value.toUpperCase() : "";
  if (!values.includes(upper)) throw new UnsupportedSpec(what, `one of ${values.join(", ")}`, value);
  return upper;
}

function reading(value: string): Reading {
  return readValue(text, value, { isExpected: false }) as Reading;
}

/** @throws {PatternTooSlow} */
export function responseDifference(spec: AgentResponseSpec, answer: string, sites: SiteAddresses): Difference | null {
  const { unsatisfiable } = spec;
  if (unsatisfiable !== null) return () => unsatisfiable;
  const response = answerOf(answer);
  if (!response) return () => "expected the answer to be a JSON object with fields, but it is not";
  const fields = fieldsOf(response);
  if (!fields)
    return () =>
      `expected task_type and status to be texts, but received ${toJson(response.get("task_type") ?? response.get("performed_operation") ?? null)} and ${toJson(response.get("status") ?? null)}`;
  const expected: ComparableObject = new Map([
    ["task_type", reading(spec.taskType)],
    ["status", spec.status],
  ]);
  const wrong = difference(expected, fields, "the answer");
  if (wrong || spec.taskType !== "RETRIEVE") return wrong;
  const data = response.get("retrieved_data") ?? null;
  const { retrieved } = spec;
  if (isEmpty(data) || !retrieved) return difference(retrieved, isEmpty(data) ? null : data, "retrieved_data");
  // The elements are read only if their number is right, so that a very long answer is not read.
  const count = isList(data) ? data.length : 1;
  if (count !== retrieved.length)
    return () => `expected retrieved_data to have ${retrieved.length} elements, but received ${count}`;
  const actual = readRetrieved(data, spec.schema, sites, false);
  return difference(retrieved, actual, "retrieved_data", { isOrdered: spec.isOrdered });
}

/** Returns the JSON object in an answer, which may be inside code fences. Returns null if the answer has none. */
function answerOf(answer: string): PyDict | null {
  const fence = answer.indexOf("```");
  const start = fence + (answer.startsWith("json", fence + 3) ? 7 : 3);
  const end = fence === -1 ? -1 : answer.indexOf("```", start);
  const value = parseJson(pyStrip(end === -1 ? answer : answer.slice(start, end)));
  return value !== undefined && isDict(value) && value.size > 0 ? value : null;
}

/** Returns the fields `task_type` and `status` that an answer has. Returns null if one of them is not a text. */
function fieldsOf(response: PyDict): ComparableObject | null {
  const fields = new Map<string, Comparable>();
  for (const [name, key] of [
    ["task_type", response.has("task_type") ? "task_type" : "performed_operation"],
    ["status", "status"],
  ] as const) {
    const value = response.get(key);
    if (value === undefined) continue;
    if (typeof value !== "string") return null;
    fields.set(name, pyStrip(value) === "" ? null : reading(pyStrip(value)));
  }
  return fields;
}

function isEmpty(data: PyValue): boolean {
  return !isTruthy(data) && !isNumeric(data);
}

/** @throws {Unsatisfiable} an expected value does not match its own format */
function readRetrieved(
  data: PyValue,
  schema: Schema | null,
  sites: SiteAddresses,
  isExpected: boolean,
): ComparableList | null {
  if (isEmpty(data)) return null;
  if (!schema) throw new Unsatisfiable(data);
  return readBySchema(isList(data) ? data : [data], schema, { sites, isExpected }) as ComparableList;
}
