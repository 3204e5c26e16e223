/** Settings for searching the live web, which the gym's operator configures. */

export interface WebSettings {
  /** Address of the search API, with the placeholders `{query}`, `{count}` and `{key}`. */
  address: string;
  /** Headers of the request, by name. */
  headers: Record<string, string>;
  /** JSON text to send with POST, with the same placeholders. Undefined for GET. */
  body?: string;
  /** Path of the list of results in the reply. If undefined, the usual paths are tried. */
  results?: string[];
  /** Hosts from which pages may be opened: see `BrowserRequest.hosts`. */
  hosts: string[];
}

/**
 * Reads the settings from the environment variable PALESTRA_WEB_SEARCH and from the variables with this prefix.
 *
 * @throws {RangeError} a setting is missing or invalid. The message does not contain the key.
 */
export function webSettings(environment: NodeJS.ProcessEnv = process.env): WebSettings {
  const {
    PALESTRA_WEB_SEARCH: address,
    PALESTRA_WEB_SEARCH_KEY: key,
    PALESTRA_WEB_SEARCH_HEADER: header,
    PALESTRA_WEB_SEARCH_BODY: body,
    PALESTRA_WEB_SEARCH_RESULTS: results,
    PALESTRA_WEB_HOSTS: hosts,
  } = environment;
  if (!address || !/^https?:\/\//.test(address) || !URL.canParse(address))
    throw expected(
      "PALESTRA_WEB_SEARCH to be the address of a search API",
      "such as https://api.example/search?q={query}&count={count}",
      address === undefined ? "no value" : "a different value",
    );
  if (!`${address}${body ?? ""}`.includes("{query}"))
    throw expected("PALESTRA_WEB_SEARCH or PALESTRA_WEB_SEARCH_BODY to contain the placeholder {query}", "", "neither");
  if (body !== undefined) expectJson(body);
  return {
    address: address.replaceAll("{key}", encodeURIComponent(key ?? "")),
    headers: headersOf(header, key, `${address}${body ?? ""}`),
    ...(body !== undefined && { body: body.replaceAll("{key}", inJson(key ?? "")) }),
    ...(results && { results: results.split(".") }),
    hosts: hosts?.split(/[\s,]+/).filter(Boolean) ?? ["*"],
  };
}

/** Escapes a text for use inside a JSON string. */
export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function headersOf(header: string | undefined, key: string | undefined, elsewhere: string): Record<string, string> {
  const isPlaced = elsewhere.includes("{key}");
  const line = header ?? (key && !isPlaced ? "Authorization: Bearer {key}" : undefined);
  if (line === undefined) return {};
  const [, name, value] = /^([A-Za-z0-9-]+):\s*(.+)$/.exec(line) ?? [];
  if (!name || !value)
    throw expected("PALESTRA_WEB_SEARCH_HEADER to be a header", "such as X-Api-Key: {key}", "a different value");
  return { [name]: value.replaceAll("{key}", key ?? "") };
}

function expectJson(body: string): void {
  try {
    JSON.parse(body.replaceAll("{count}", "1"));
  } catch {
    throw expected(
      "PALESTRA_WEB_SEARCH_BODY to be JSON",
      'such as {"q": "{query}", "num": {count}}',
      "a different value",
    );
  }
}

/** Returns an error. The caller describes the received value instead of passing it, since it may contain a key. */
function expected(what: string, example: string, received: string): RangeError {
  return new RangeError(`expected ${what}${example && `, ${example}`}, but received ${received}`);
}
