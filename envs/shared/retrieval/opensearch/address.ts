/** Addresses of OpenSearch clusters, with credentials. */
import { z } from "zod";

export interface ClusterAddress {
  /** URL without credentials, which is safe to display, and without a trailing slash. */
  url: string;
  username?: string;
  password?: string;
}

export interface AliasAddress extends ClusterAddress {
  alias: string;
}

/** Name of the environment variable with `user:password`, which is used for URLs without credentials. */
export const credentialsVariable = "PALESTRA_OPENSEARCH_AUTH";

const namePattern = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

/** Parses `URL/ALIAS`. @throws {RangeError} the text is invalid; the message does not contain the password */
export function aliasAddress(text: string, environment: NodeJS.ProcessEnv = process.env): AliasAddress {
  const [, url = "", alias = ""] = /^(https?:\/\/[^/]+.*)\/([^/]+)$/.exec(text) ?? [];
  if (url === "")
    throw new RangeError(
      `expected opensearch:URL/ALIAS, such as opensearch:https://search.example:9200/wiki, but received ${JSON.stringify(withoutPassword(`opensearch:${text}`))}`,
    );
  return { ...clusterAddress(url, environment), alias: aliasName(alias) };
}

/**
 * Parses an http:// or https:// URL. @throws {RangeError} the text is invalid; the message does not contain the
 * password
 */
export function clusterAddress(text: string, environment: NodeJS.ProcessEnv = process.env): ClusterAddress {
  if (!z.url({ protocol: /^https?$/ }).safeParse(text).success)
    throw new RangeError(
      `expected an http:// or https:// address, but received ${JSON.stringify(withoutPassword(text))}`,
    );
  const url = new URL(text);
  const given = url.username === "" ? fromVariable(environment) : decoded(url);
  url.username = "";
  url.password = "";
  url.search = "";
  url.hash = "";
  return { url: url.href.replace(/\/+$/, ""), ...given };
}

/** Checks the name of an alias. @throws {RangeError} OpenSearch or Palestra does not allow the name */
export function aliasName(name: string): string {
  if (namePattern.test(name)) return name;
  const expected = "a name of at most 64 lower-case letters, digits, dots, dashes and underscores";
  throw new RangeError(`expected ${expected}, but received ${JSON.stringify(name)}`);
}

/** Replaces the credentials in URLs by `***`. */
export function withoutPassword(text: string): string {
  return text.replace(/\/\/\S*@/g, "//***@");
}

function decoded({ username, password }: URL) {
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

function fromVariable(environment: NodeJS.ProcessEnv) {
  const text = environment[credentialsVariable];
  if (!text) return {};
  const colon = text.indexOf(":");
  if (colon < 1)
    throw new RangeError(`expected user:password in ${credentialsVariable}, but received a text without a colon`);
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
