/** Addresses of the encyclopedia's articles. */

export const book = "haldane_en_all";

export function pathOf(title: string): string {
  return `/${book}/A/${encodeURIComponent(title.replaceAll(" ", "_")).replaceAll("%3A", ":")}`;
}
