/** Short ways to read the fields of records. */
import { type Dict, Model, type Value } from "../python/value.js";

/** Returns a field of a record. The record's model has the field. */
export function field(record: Dict, name: string): Value {
  return record.get(name) ?? null;
}

export function textField(record: Dict, name: string): string {
  return record.get(name) as string;
}

export function listField(record: Dict, name: string): Value[] {
  return record.get(name) as Value[];
}

export function dictField(record: Dict, name: string): Dict {
  return record.get(name) as Dict;
}

/** Returns the models of a list in a record. */
export function modelsField(record: Dict, name: string): Model[] {
  return listField(record, name) as Model[];
}

/** Whether a value is a dict, and no instance of a model. */
export function isDict(value: Value): value is Dict {
  return value instanceof Map && !(value instanceof Model);
}
