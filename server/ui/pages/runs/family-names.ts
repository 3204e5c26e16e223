/** Names of families of tasks. An environment may number its families, such as the depth 1 of TextCraft. */
import { api } from "../../api.js";

/** Returns the field of `info` that has the family of a task, or null if the gym does not offer the environment. */
export function loadFamilyKey(environment: string | null): Promise<string | null> {
  if (environment === null) return Promise.resolve(null);
  return api.environment(environment.replace(/@.*$/, "")).then(
    ({ familyKey }) => familyKey,
    () => null,
  );
}

/** Returns a family's name: a number gets the name of its field, such as `depth 1`. */
export function familyName(family: string, key: string | null): string {
  return key !== null && /^-?\d+$/.test(family) ? `${key} ${family}` : family;
}
