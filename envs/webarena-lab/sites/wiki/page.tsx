/** The frame of the encyclopedia's pages, and a component for links in texts. */
import type { FC, PropsWithChildren } from "hono/jsx";
import { Document } from "../document.js";
import { articles } from "./articles.js";
import { book, pathOf } from "./paths.js";

export const bookName = "Haldane Encyclopedia";

export const Page: FC<PropsWithChildren<{ title: string; pattern?: string }>> = ({ title, pattern = "", children }) => (
  <Document site="wiki" title={title}>
    <header>
      <a class="brand" href="/">
        {bookName}
      </a>
      <form action="/search">
        <input type="hidden" name="content" value={book} />
        <input name="pattern" aria-label={`Search '${bookName}'`} value={pattern} autocomplete="off" />
        <button type="submit">Search</button>
      </form>
      <nav aria-label="Encyclopedia">
        <a href={pathOf("Haldane")}>About Haldane</a>
        <a href={pathOf("Category:Lists")}>Lists</a>
        <a href={pathOf("Special:Categories")}>All categories</a>
      </nav>
    </header>
    <main>{children}</main>
    <footer>Text of the {bookName} is available under a free licence. Snapshot of March 2024.</footer>
  </Document>
);

/** Renders text that contains links. */
export const Linked: FC<{ text: string }> = ({ text }) => (
  <>
    {text.split(/(\[\[[^\]]+\]\])/).map((part) => {
      const [, title, shown] = /^\[\[([^\]|]+)(?:\|([^\]]+))?\]\]$/.exec(part) ?? [];
      if (title === undefined) return part;
      return articles().has(title) ? <a href={pathOf(title)}>{shown ?? title}</a> : (shown ?? title);
    })}
  </>
);
