/** Places of the page. A place is in the URL's fragment, so the server needs no routes of its own for them. */
import { signal } from "@preact/signals";

export interface Place {
  /** Parts of the path: `#/episodes/abc` has `episodes` and `abc`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export const place = signal(placeOf(location.hash));

addEventListener("hashchange", () => {
  place.value = placeOf(location.hash);
});

function placeOf(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return {
    path: path
      .split("/")
      .filter(Boolean)
      .map(decoded)
      .filter((part) => !/^\.{1,2}$/.test(part)),
    query: new URLSearchParams(query),
  };
}

/** A part that is no valid escape sequence stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns a link to a place. Query entries that are undefined are left out, and lists give an entry for each value. */
export function linkTo(
  path: readonly (string | number)[],
  query: Record<string, string | number | readonly string[] | undefined> = {},
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => [name, String(each)]),
  );
  const text = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join("/")}${text && `?${text}`}`;
}

/** Goes to a place. @param replaces whether the present place leaves no entry in the history */
export function goTo(link: string, { replaces = false } = {}): void {
  if (!replaces) {
    location.hash = link;
    return;
  }
  history.replaceState(null, "", link);
  place.value = placeOf(link);
}
