/** Returns the slug of a submission's address: its title in lower-case words with dashes, at most 60 characters. */
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
