/** Finds tags in a model's text in linear time, even if thousands of tags are unclosed. */

/** A tag with its content, from the character at `from` up to, but not including, the character at `to`. */
export interface Tag {
  kind: string;
  content: string;
  from: number;
  to: number;
}

/** Returns the first closed tag whose name is in `kinds`. */
export function firstTag(text: string, kinds: readonly string[]): Tag | undefined {
  const unclosed = new Set<string>();
  for (const { 0: opening, 1: kind = "", index } of text.matchAll(new RegExp(`<(${kinds.join("|")})>`, "g"))) {
    if (unclosed.has(kind)) continue;
    const tag = closed(text, kind, opening, index);
    if (tag) return tag;
    unclosed.add(kind);
  }
  return undefined;
}

/** Returns all closed tags with the name `kind`, in text order. */
export function tagsOf(text: string, kind: string): Tag[] {
  const tags: Tag[] = [];
  const opening = `<${kind}>`;
  for (let at = text.indexOf(opening); at >= 0; ) {
    const tag = closed(text, kind, opening, at);
    if (!tag) break;
    tags.push(tag);
    at = text.indexOf(opening, tag.to);
  }
  return tags;
}

/**
 * Replaces each tag and its content with a space.
 *
 * @param tags tags of the text, in text order
 */
export function withoutTags(text: string, tags: readonly Tag[]): string {
  const ends = [0, ...tags.map(({ to }) => to)];
  return ends.map((end, at) => text.slice(end, tags[at]?.from)).join(" ");
}

function closed(text: string, kind: string, opening: string, from: number): Tag | undefined {
  const closing = `</${kind}>`;
  const end = text.indexOf(closing, from + opening.length);
  if (end < 0) return undefined;
  return { kind, content: text.slice(from + opening.length, end), from, to: end + closing.length };
}
