/** The app of a searchable encyclopedia. The addresses are those of a Kiwix server. */
import { type Context, Hono } from "hono";
import type { SiteEnv } from "../site.js";
import { ArticleView, type Sorting } from "./article-view.js";
import { articles, categories, search } from "./articles.js";
import { MainPage, summaryOf } from "./main-page.js";
import { Page } from "./page.js";
import { book, pathOf } from "./paths.js";

const perPage = 25;

export const app = new Hono<SiteEnv>();

app.get("/", (context) => context.html(<MainPage />));

app.get(`/${book}/A/:title`, (context) => {
  const title = context.req.param("title").replaceAll("_", " ");
  if (title === "Special:Categories") return allCategories(context);
  if (title.startsWith("Category:")) return categoryPage(context, title.slice("Category:".length));
  const article = articles().get(title);
  if (!article) return context.notFound();
  return context.html(
    <Page title={article.title}>
      <ArticleView article={article} sorting={sortingOf(context)} />
    </Page>,
  );
});

function sortingOf(context: Context<SiteEnv>): Sorting | undefined {
  const column = context.req.query("sort") ?? "";
  return /^\d$/.test(column) ? { column: +column, isDescending: context.req.query("order") === "desc" } : undefined;
}

function allCategories(context: Context<SiteEnv>) {
  return context.html(
    <Page title="All categories">
      <h1>All categories</h1>
      <ul class="columns">
        {[...categories()].map(([name, titles]) => (
          <li>
            <a href={pathOf(`Category:${name}`)}>{name}</a> ({titles.length})
          </li>
        ))}
      </ul>
    </Page>,
  );
}

function categoryPage(context: Context<SiteEnv>, name: string) {
  const titles = categories().get(name);
  if (!titles) return context.notFound();
  return context.html(
    <Page title={`Category: ${name}`}>
      <h1>Category: {name}</h1>
      <p>{titles.length === 1 ? "There is 1 page" : `There are ${titles.length} pages`} in this category.</p>
      <ul class="columns">
        {titles.map((title) => (
          <li>
            <a href={pathOf(title)}>{title}</a>
          </li>
        ))}
      </ul>
    </Page>,
  );
}

app.get("/search", (context) => {
  const pattern = context.req.query("pattern")?.trim() ?? "";
  const found = search(pattern);
  const start = Math.max(0, Math.floor(Number(context.req.query("start"))) || 0);
  const shown = found.slice(start, start + perPage);
  const link = (at: number) => `/search?${new URLSearchParams({ content: book, pattern, start: `${at}` })}`;
  return context.html(
    <Page title={`Search: ${pattern}`} pattern={pattern}>
      <h1>
        {shown.length === 0 ? "No results" : `Results ${start + 1}-${start + shown.length} of ${found.length}`} for "
        {pattern}"
      </h1>
      {shown.length === 0 && <p>No article has all of these words. Try fewer words or another spelling.</p>}
      <ol start={start + 1} class="results">
        {shown.map(({ title }) => (
          <li>
            <a href={pathOf(title)}>{title}</a>
            <p>{summaryOf(title)}</p>
          </li>
        ))}
      </ol>
      <nav class="pages" aria-label="Pages">
        {start > 0 && <a href={link(Math.max(0, start - perPage))}>Previous</a>}{" "}
        {start + perPage < found.length && <a href={link(start + perPage)}>Next</a>}
      </nav>
    </Page>,
  );
});

app.notFound((context) =>
  context.html(
    <Page title="Not found">
      <h1>Not found</h1>
      <p>The encyclopedia has no article at this address.</p>
    </Page>,
    404,
  ),
);
