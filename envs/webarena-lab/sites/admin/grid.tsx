/** Tables of records with search, filters, sorting and paging. All of these controls are query parameters. */
import type { FC } from "hono/jsx";
import type { ShopContext } from "../shop/visitor.js";

export interface Column<R> {
  key: string;
  label: string;
  text: (row: R) => string;
  /** Returns the sort key of a row. By default, rows are sorted by the text of the cell. */
  order?: (row: R) => number | string;
  /** Kind of filter: part of the text, a range of numbers, a range of days, or one of several choices. */
  filter?: "text" | "range" | "dates" | readonly string[];
}

export interface GridProps<R> {
  context: ShopContext;
  rows: readonly R[];
  columns: readonly Column<R>[];
  /** Default sort column. */
  first: { key: string; isDescending: boolean };
  /** Returns the text of a row that a keyword search covers. If undefined, the table has no keyword field. */
  keyword?: (row: R) => string;
  action: { label: string; url: (row: R) => string };
}

const sizes = [20, 50, 100, 200];
const amountOf = (text: string) => Number(text.replace(/[$,]/g, ""));

/** Returns the start of a day such as `3/9/2024` or `2024-03-09` in milliseconds, or undefined for other text. */
export function dayOf(text: string): number | undefined {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})$/.exec(text.trim()) ?? [];
  const [, y, m, d] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim()) ?? [];
  const at = Date.UTC(Number(y ?? (year?.length === 2 ? `20${year}` : year)), Number(m ?? month) - 1, Number(d ?? day));
  return Number.isNaN(at) ? undefined : at;
}

interface ActiveFilter {
  label: string;
  value: string;
  names: string[];
}

function fits<R>(row: R, column: Column<R>, query: Readonly<Record<string, string>>): boolean {
  const { key, filter, text, order } = column;
  if (filter === undefined) return true;
  if (filter === "range" || filter === "dates") {
    const read = filter === "dates" ? dayOf : amountOf;
    const [low, high] = [query[`${key}_from`] ?? "", query[`${key}_to`] ?? ""];
    const value = Number(order?.(row) ?? amountOf(text(row)));
    if (low !== "" && !(value >= (read(low) ?? Number.NaN))) return false;
    return high === "" || value < (read(high) ?? Number.NaN) + (filter === "dates" ? 86_400_000 : 0.000_1);
  }
  const wanted = query[key] ?? "";
  if (wanted === "") return true;
  return filter === "text" ? text(row).toLowerCase().includes(wanted.trim().toLowerCase()) : text(row) === wanted;
}

function activeFilters<R>(columns: readonly Column<R>[], query: Readonly<Record<string, string>>): ActiveFilter[] {
  const filters = columns.flatMap(({ key, label, filter }): ActiveFilter[] => {
    if (filter === "range" || filter === "dates") {
      const names = [`${key}_from`, `${key}_to`];
      const [low = "", high = ""] = names.map((name) => query[name]);
      return low === "" && high === "" ? [] : [{ label, value: `${low || "..."} - ${high || "..."}`, names }];
    }
    const value = filter === undefined ? "" : (query[key] ?? "");
    return value === "" ? [] : [{ label, value, names: [key] }];
  });
  const { keyword = "" } = query;
  return keyword === "" ? filters : [...filters, { label: "Keyword", value: keyword, names: ["keyword"] }];
}

export function Grid<R>({ context, rows, columns, first, keyword, action }: GridProps<R>) {
  const query = context.req.query();
  const path = new URL(context.req.url).pathname;
  const link = (change: Readonly<Record<string, string>>) => {
    const entries = Object.entries({ ...query, ...change }).filter(([, value]) => value !== "");
    return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
  };
  const word = (query.keyword ?? "").trim().toLowerCase();
  const active = columns.filter(({ key }) => query[key] || query[`${key}_from`] || query[`${key}_to`]);
  const found = rows.filter(
    (row) =>
      (word === "" || !keyword || keyword(row).toLowerCase().includes(word)) &&
      active.every((column) => fits(row, column, query)),
  );
  const sorted = columns.find(({ key }) => key === query.sort) ?? columns.find(({ key }) => key === first.key);
  const isDescending = query.sort === undefined ? first.isDescending : query.dir === "desc";
  const by = sorted?.order ?? sorted?.text ?? (() => 0);
  const shown = found
    .map((row) => ({ row, by: by(row) }))
    .sort((one, other) => (one.by < other.by ? -1 : one.by > other.by ? 1 : 0) * (isDescending ? -1 : 1))
    .map(({ row }) => row);
  const size = sizes.find((one) => `${one}` === query.limit) ?? 20;
  const pages = Math.max(1, Math.ceil(found.length / size));
  const page = Math.max(1, Math.min(pages, Math.floor(Number(query.p)) || 1));
  return (
    <div class="admin__data-grid-outer-wrap">
      <Tools query={query} columns={columns} link={link} hasKeyword={keyword !== undefined} path={path} />
      <Active filters={activeFilters(columns, query)} link={link} path={path} />
      <Pages total={found.length} page={page} pages={pages} size={size} link={link} />
      <table class="data-grid">
        <thead>
          <tr>
            {columns.map(({ key, label }) => (
              <th scope="col">
                <a href={link({ sort: key, dir: sorted?.key === key && !isDescending ? "desc" : "asc", p: "" })}>
                  {label}
                </a>
                {sorted?.key === key && (isDescending ? " ↓" : " ↑")}
              </th>
            ))}
            <th scope="col">Action</th>
          </tr>
        </thead>
        <tbody>
          {found.length === 0 && (
            <tr>
              <td colspan={columns.length + 1}>We couldn't find any records.</td>
            </tr>
          )}
          {shown.slice((page - 1) * size, page * size).map((row) => (
            <tr>
              {columns.map(({ text }) => (
                <td>{text(row)}</td>
              ))}
              <td>
                <a href={action.url(row)}>{action.label}</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Link = (change: Readonly<Record<string, string>>) => string;

const Active: FC<{ filters: readonly ActiveFilter[]; link: Link; path: string }> = ({ filters, link, path }) => (
  <div class="admin__data-grid-filters-current">
    {filters.length > 0 && (
      <>
        Active filters:
        {filters.map(({ label, value, names }) => (
          <span class="filter">
            {label}: {value}{" "}
            <a
              href={link({ ...Object.fromEntries(names.map((name) => [name, ""])), p: "" })}
              aria-label={`Remove the filter ${label}`}
            >
              ×
            </a>
          </span>
        ))}
        <a href={path}>Clear all</a>
      </>
    )}
  </div>
);

const Pages: FC<{ total: number; page: number; pages: number; size: number; link: Link }> = (props) => {
  const { total, page, pages, size, link } = props;
  return (
    <p class="pager">
      <b>{total} records found</b>{" "}
      {sizes.map((one) =>
        one === size ? <strong>{one}</strong> : <a href={link({ limit: `${one}`, p: "" })}>{one}</a>,
      )}{" "}
      per page. Page {page} of {pages}
      {page > 1 && <a href={link({ p: `${page - 1}` })}>Previous Page</a>}
      {page < pages && <a href={link({ p: `${page + 1}` })}>Next Page</a>}
    </p>
  );
};

interface ToolProps {
  query: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: the columns can be of any kind of row
  columns: readonly Column<any>[];
  link: Link;
  hasKeyword: boolean;
  path: string;
}

const Tools: FC<ToolProps> = ({ query, columns, link, hasKeyword, path }) => {
  const isOpen = query.filters === "open";
  const own = new Set(columns.flatMap(({ key }) => [key, `${key}_from`, `${key}_to`]));
  const kept = (names: (name: string) => boolean) =>
    Object.entries(query)
      .filter(([name]) => name !== "p" && names(name))
      .map(([name, value]) => <input type="hidden" name={name} value={value} />);
  return (
    <>
      <div class="tools">
        {hasKeyword && (
          <form action={path}>
            {kept((name) => name !== "keyword")}
            <input name="keyword" aria-label="Search by keyword" value={query.keyword ?? ""} />
            <button type="submit">Search</button>
          </form>
        )}
        <a class="button" href={link({ filters: isOpen ? "" : "open" })}>
          Filters
        </a>
      </div>
      {isOpen && (
        <form class="filters" action={path}>
          {kept((name) => !own.has(name) && name !== "filters")}
          {columns.map((column) => (
            <FilterField column={column} query={query} />
          ))}
          <button type="submit">Apply Filters</button> <a href={link({ filters: "" })}>Cancel</a>
        </form>
      )}
    </>
  );
};

// biome-ignore lint/suspicious/noExplicitAny: the column can be of any kind of row
const FilterField: FC<{ column: Column<any>; query: Readonly<Record<string, string>> }> = ({ column, query }) => {
  const { key, label, filter } = column;
  if (filter === undefined) return null;
  if (filter === "range" || filter === "dates")
    return (
      <p>
        <span>{label}</span>
        {["from", "to"].map((end) => (
          <input
            name={`${key}_${end}`}
            aria-label={`${label} ${end}`}
            placeholder={end}
            value={query[`${key}_${end}`] ?? ""}
          />
        ))}
      </p>
    );
  if (filter === "text")
    return (
      <p>
        <label for={`filter-${key}`}>{label}</label>
        <input id={`filter-${key}`} name={key} value={query[key] ?? ""} />
      </p>
    );
  return (
    <p>
      <label for={`filter-${key}`}>{label}</label>
      <select id={`filter-${key}`} name={key}>
        <option value="" />
        {filter.map((choice) => (
          <option selected={choice === query[key]}>{choice}</option>
        ))}
      </select>
    </p>
  );
};
