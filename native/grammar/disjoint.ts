/** Decides whether no value can satisfy two schemas, so that `oneOf` means the same as `anyOf`. */
import { type Placed, type Schema, type SchemaParts, typesOf, typesOfValue } from "./schema.js";

/** @returns false if the schemas may have a value in common */
export function areDisjoint(compiler: SchemaParts, one: Placed, other: Placed): boolean {
  const [first, second] = [compiler.resolved(one), compiler.resolved(other)];
  if (first === false || second === false) return true;
  if (first === true || second === true) return false;
  const branches = [branchesOf(first), branchesOf(second)] as const;
  if (branches[0] || branches[1]) {
    const placed = (all: readonly unknown[] | undefined, whole: Placed) =>
      all ? all.map((schema) => ({ schema, at: whole.at })) : [whole];
    return placed(branches[0], one).every((left) =>
      placed(branches[1], other).every((right) => areDisjoint(compiler, left, right)),
    );
  }
  const constants = [constantsOf(first), constantsOf(second)] as const;
  if (constants[0] && constants[1]) return constants[0].every((value) => !constants[1]?.includes(value));
  const types = [allTypesOf(first), allTypesOf(second)] as const;
  if (types[0] && types[1] && !types[0].some((type) => types[1]?.includes(type))) return true;
  return haveDisjointProperty(compiler, first, second, one.at);
}

function branchesOf({ anyOf, oneOf }: Schema): readonly unknown[] | undefined {
  return (anyOf ?? oneOf) as readonly unknown[] | undefined;
}

/** Returns the constants of a schema; undefined for a schema without. */
function valuesOf(schema: Schema): unknown[] | undefined {
  return "const" in schema ? [schema.const] : (schema.enum as unknown[] | undefined);
}

/** Returns the constants of a schema as texts; undefined for a schema without. */
function constantsOf(schema: Schema): string[] | undefined {
  return valuesOf(schema)?.map((value) => JSON.stringify(value));
}

function allTypesOf(schema: Schema): string[] | undefined {
  const values = valuesOf(schema);
  const types = values ? values.flatMap(typesOfValue) : schema.type === undefined ? undefined : typesOf(schema);
  return types?.map((type) => (type === "integer" ? "number" : type));
}

/** Returns whether both are objects with a required property whose schemas are disjoint. */
function haveDisjointProperty(compiler: SchemaParts, one: Schema, other: Schema, at: string): boolean {
  if (one.type !== "object" || other.type !== "object") return false;
  const property = (schema: Schema, name: string) => (schema.properties as Schema | undefined)?.[name];
  const required = (one.required as string[] | undefined) ?? [];
  return required.some((name) => {
    const [left, right] = [property(one, name), property(other, name)];
    const isShared =
      (other.required as string[] | undefined)?.includes(name) && left !== undefined && right !== undefined;
    return isShared && areDisjoint(compiler, { schema: left, at }, { schema: right, at });
  });
}
