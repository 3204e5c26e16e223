/** Parses JSON and refuses an object with two entries of one name, of which `JSON.parse` would drop the first. */

const token = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/gs;

/**
 * @throws {SyntaxError} the text is not JSON
 * @throws {Error} an object has two entries of one name
 */
export function parseLine(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const open: Set<string>[] = [];
  for (const [found, colon] of text.matchAll(token)) {
    if (found === "{") open.push(new Set());
    else if (found === "}") open.pop();
    else if (colon !== undefined) {
      const name = JSON.parse(found.slice(0, -colon.length)) as string;
      if (open.at(-1)?.has(name))
        throw new Error(`expected one entry of each name, but received ${JSON.stringify(name)} twice`);
      open.at(-1)?.add(name);
    }
  }
  return value;
}
