/** The view of an article. */
import type { FC } from "hono/jsx";
import { type Article, type Section, type WikiTable, withoutLinks } from "./articles/article.js";
import { Linked } from "./page.js";
import { pathOf } from "./paths.js";

/** Column and direction by which a table is sorted. */
export interface Sorting {
  column: number;
  isDescending: boolean;
}

export const ArticleView: FC<{ article: Article; sorting?: Sorting | undefined }> = ({ article, sorting }) => {
  const { title, facts, sections, seeAlso, references, categories } = article;
  const headings = sections.flatMap(({ heading }) => heading ?? []);
  return (
    <article>
      <h1>{title}</h1>
      {facts.length > 0 && <Infobox title={title} facts={facts} />}
      {sections.slice(0, 1).map((section) => (
        <SectionView section={section} title={title} sorting={sorting} />
      ))}
      {headings.length > 3 && <Contents headings={headings} />}
      {sections.slice(1).map((section) => (
        <SectionView section={section} title={title} sorting={sorting} />
      ))}
      <h2>See also</h2>
      <ul>
        {seeAlso.map((other) => (
          <li>
            <Linked text={`[[${other}]]`} />
          </li>
        ))}
      </ul>
      <h2>References</h2>
      <ol class="references">
        {references.map((reference) => (
          <li>{reference}</li>
        ))}
      </ol>
      <nav class="categories" aria-label="Categories">
        Categories:{" "}
        {categories.map((name) => (
          <a href={pathOf(`Category:${name}`)}>{name}</a>
        ))}
      </nav>
    </article>
  );
};

const Infobox: FC<Pick<Article, "title" | "facts">> = ({ title, facts }) => (
  <table class="infobox">
    <caption>{title}</caption>
    <tbody>
      {facts.map(([label, value]) => (
        <tr>
          <th scope="row">{label}</th>
          <td>
            <Linked text={value} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Contents: FC<{ headings: readonly string[] }> = ({ headings }) => (
  <nav class="contents" aria-label="Contents">
    <strong>Contents</strong>
    <ol>
      {headings.map((heading) => (
        <li>
          <a href={`#${anchorOf(heading)}`}>{heading}</a>
        </li>
      ))}
    </ol>
  </nav>
);

const SectionView: FC<{ section: Section; title: string; sorting: Sorting | undefined }> = ({
  section: { heading, paragraphs = [], items = [], table },
  title,
  sorting,
}) => (
  <section>
    {heading && <h2 id={anchorOf(heading)}>{heading}</h2>}
    {paragraphs.map((text) => (
      <p>
        <Linked text={text} />
      </p>
    ))}
    {items.length > 0 && (
      <ul>
        {items.map((text) => (
          <li>
            <Linked text={text} />
          </li>
        ))}
      </ul>
    )}
    {table && <TableView table={table} title={title} sorting={table.isSortable ? sorting : undefined} />}
  </section>
);

const TableView: FC<{ table: WikiTable; title: string; sorting: Sorting | undefined }> = ({
  table: { caption, head, rows, isSortable },
  title,
  sorting,
}) => (
  <table class="wikitable">
    <caption>{caption}</caption>
    <thead>
      <tr>
        {head.map((label, at) => (
          <th scope="col" {...ariaSort(at, sorting)}>
            {isSortable ? <SortLink title={title} label={label} at={at} sorting={sorting} /> : label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {sorted(rows, sorting).map((row) => (
        <tr>
          {row.map((text) => (
            <td>
              <Linked text={text} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const SortLink: FC<{ title: string; label: string; at: number; sorting: Sorting | undefined }> = ({
  title,
  label,
  at,
  sorting,
}) => {
  const order = sorting?.column === at && !sorting.isDescending ? "desc" : "asc";
  return <a href={`${pathOf(title)}?sort=${at}&order=${order}`}>{label}</a>;
};

function ariaSort(at: number, sorting: Sorting | undefined): { "aria-sort"?: "ascending" | "descending" } {
  if (sorting?.column !== at) return {};
  return { "aria-sort": sorting.isDescending ? "descending" : "ascending" };
}

/** Sorts rows. Numbers are sorted by value, and other texts alphabetically. */
function sorted(rows: WikiTable["rows"], sorting: Sorting | undefined): WikiTable["rows"] {
  if (!sorting) return rows;
  const { column, isDescending } = sorting;
  const keyed = rows.map((row) => ({ row, text: withoutLinks(row[column] ?? "") }));
  const sign = isDescending ? -1 : 1;
  const isNumeric = keyed.every(({ text }) => /^[\d,.]*$/.test(text));
  const number = (text: string) => Number(text.replaceAll(",", "")) || 0;
  keyed.sort((one, other) =>
    isNumeric
      ? sign * (number(one.text) - number(other.text))
      : sign * (one.text === other.text ? 0 : one.text < other.text ? -1 : 1),
  );
  return keyed.map(({ row }) => row);
}

function anchorOf(heading: string): string {
  return heading.replaceAll(" ", "_");
}
