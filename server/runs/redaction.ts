/** Removal of secrets from the settings of a run. The trainer writes none, but its files can be changed by hand. */
import { textWithoutSecrets } from "../formats/secrets.js";

const secretName = /(^|_|-)(api_?key|token|secret|password)$/i;

export function redacted(value: unknown, name = ""): unknown {
  if (typeof value === "string") return secretName.test(name) ? "(not shown)" : textWithoutSecrets(value);
  if (Array.isArray(value)) return value.map((entry) => redacted(entry, name));
  if (typeof value !== "object" || value === null) return value;
  // A group under the name of a secret is secret, whatever its fields are called.
  const nameOf = (key: string) => (secretName.test(name) ? name : key);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, redacted(entry, nameOf(key))]));
}
