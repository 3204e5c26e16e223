/** Secrets in texts that are logged or reported. */

/** Beginning of a gym's token. */
export const tokenPrefix = "pal_";
/** A token, of which a URL may have percent-encoded any character. */
const tokens = new RegExp(`${[...tokenPrefix].map(orEncoded).join("")}(?:[A-Za-z0-9_-]|%[0-9A-Fa-f]{2})+`, "gi");
/** User name and password in a URL. */
const credentials = /((?:http|ws)s?:\/\/)[^/@\s]+@/gi;

function orEncoded(character: string): string {
  return `(?:${character}|%${character.charCodeAt(0).toString(16)})`;
}

/** Replaces everything in a text that could be a gym's token, and the user names and passwords of its URLs. */
export function textWithoutSecrets(text: string): string {
  return text.replace(credentials, "$1…@").replace(tokens, `${tokenPrefix}…`);
}
