/** Returns a text without the gym's tokens and the passwords of its URLs, which a report or a record would give away. */
export function withoutUrlSecrets(text: string): string {
  return text.replace(/((?:http|ws)s?:\/\/)[^/@\s]+@/g, "$1…@").replace(/pal_[A-Za-z0-9_-]+/g, "pal_…");
}
