/** The front page of the encyclopedia. */
import type { FC } from "hono/jsx";
import { withoutLinks } from "./articles/article.js";
import { articles, categories } from "./articles.js";
import { bookName, Linked, Page } from "./page.js";
import { pathOf } from "./paths.js";

const featured = [
  "Port Alder",
  "Great Fire of Port Alder",
  "Haldane elk",
  "Great Orr Bridge",
  "Haldane Football League",
];

const topics: readonly (readonly [topic: string, categories: readonly string[]])[] = [
  ["Places", ["Towns in Haldane", "Districts of Haldane", "Bridges in Haldane"]],
  ["Geography", ["Rivers of Haldane", "Mountains of Haldane", "Lakes of Haldane", "Islands of Haldane"]],
  ["Learning", ["Universities in Haldane", "Museums in Haldane", "Scientists from Haldane"]],
  ["Arts", ["Writers from Haldane", "Film directors from Haldane", "Musicians from Haldane", "Painters from Haldane"]],
  ["Works", ["Novels from Haldane", "Films from Haldane", "Albums from Haldane", "Paintings from Haldane"]],
  ["Society", ["Companies of Haldane", "Politicians of Haldane", "Football clubs in Haldane"]],
  ["Nature", ["Animals of Haldane", "Plants of Haldane"]],
  ["History", ["Events in the history of Haldane", "Seasons of the Haldane Football League"]],
];

export const MainPage: FC = () => (
  <Page title={bookName}>
    <h1>Welcome to the {bookName}</h1>
    <p class="welcome">
      {articles().size} articles in {categories().size} categories on the towns, landscape, people and history of{" "}
      <a href={pathOf("Haldane")}>Haldane</a>.
    </p>
    <div class="home">
      <section class="featured">
        <h2>Featured articles</h2>
        {featured.map((title) => (
          <div class="card">
            <h3>
              <a href={pathOf(title)}>{title}</a>
            </h3>
            <p>{summaryOf(title)}</p>
          </div>
        ))}
      </section>
      <section>
        <h2>Topics</h2>
        <dl class="topics">
          {topics.map(([topic, names]) => (
            <>
              <dt>{topic}</dt>
              <dd>
                {names.map((name) => (
                  <a href={pathOf(`Category:${name}`)}>{name.replace(/ (?:in|of|from) Haldane$/, "")}</a>
                ))}
              </dd>
            </>
          ))}
        </dl>
        <h2>Lists</h2>
        <ul class="lists">
          {(categories().get("Lists") ?? []).map((title) => (
            <li>
              <Linked text={`[[${title}]]`} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  </Page>
);

/** Returns the first two sentences of an article. */
export function summaryOf(title: string): string {
  const [lead] = articles().get(title)?.sections ?? [];
  const text = withoutLinks(lead?.paragraphs?.[0] ?? "");
  return text
    .split(/(?<=[.?!]) (?=[A-Z])/)
    .slice(0, 2)
    .join(" ");
}
