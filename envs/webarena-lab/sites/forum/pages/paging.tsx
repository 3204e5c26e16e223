/** Splits long lists into pages. */
import type { FC } from "hono/jsx";

export const perPage = 25;

/** @param address path and query of the current page */
export function pageOf(address: string): number {
  const page = new URL(address, "http://forum.test").searchParams.get("page") ?? "";
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
}

export function part<T>(items: readonly T[], page: number): readonly T[] {
  return items.slice((page - 1) * perPage, page * perPage);
}

function withPage(address: string, page: number): string {
  const url = new URL(address, "http://forum.test");
  if (page === 1) url.searchParams.delete("page");
  else url.searchParams.set("page", `${page}`);
  return `${url.pathname}${url.search}`;
}

export const Pages: FC<{ address: string; count: number }> = ({ address, count }) => {
  const page = pageOf(address);
  const last = Math.max(1, Math.ceil(count / perPage));
  if (last === 1) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && (
        <a href={withPage(address, page - 1)} rel="prev">
          Previous
        </a>
      )}
      <span>
        Page {page} of {last}
      </span>
      {page < last && (
        <a href={withPage(address, page + 1)} rel="next">
          More
        </a>
      )}
    </nav>
  );
};
