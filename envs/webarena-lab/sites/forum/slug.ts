/**
 * Returns the slug for a submission's URL: the words of the title in lower case, joined by dashes, up to 60 characters.
 */
export function slugOf(title: string): string {
  const words = title
    .toLowerCase()
    .replace(/[’']/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  let slug = "";
  for (const word of words) {
    if (slug.length + word.length >= 60) break;
    slug += slug ? `-${word}` : word;
  }
  return slug || "-";
}
