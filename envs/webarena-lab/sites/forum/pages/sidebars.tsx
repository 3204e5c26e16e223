/** Sections of the sidebar. */
import type { FC } from "hono/jsx";
import { isModerator, isSubscribed } from "../changes.js";
import type { Forum } from "../rows.js";
import type { Visit } from "../visit.js";
import { UserLink } from "./submissions.js";
import { dateOf, Prose, plural } from "./text.js";

/** Button to subscribe or unsubscribe, with the number of subscribers. */
export const SubscribeForm: FC<{ visit: Visit; forum: Forum }> = ({ visit: { tables, visitor }, forum }) => {
  const isOn = isSubscribed(tables, visitor, forum);
  return (
    <form class="subscribe" action={`/f/${forum.name}/${isOn ? "unsubscribe" : "subscribe"}`} method="post">
      <button type="submit" class={isOn ? "subscribe__off" : "subscribe__on"}>
        {isOn ? "Unsubscribe" : "Subscribe"}{" "}
        <span class="subscribe__count">({forum.subscribers.toLocaleString("en-US")})</span>
      </button>
    </form>
  );
};

export const ForumSections: FC<{ visit: Visit; forum: Forum }> = ({ visit, forum }) => {
  const { tables, visitor } = visit;
  const { id, name, title, description, sidebar, created } = forum;
  const moderators = tables.moderators.where("forum", id);
  return (
    <>
      <section>
        <h2>
          <a href={`/f/${name}`}>/f/{name}</a>
        </h2>
        <p class="forum-title">{title}</p>
        {description && <p>{description}</p>}
        <SubscribeForm visit={visit} forum={forum} />
        {sidebar && (
          <div class="forum-sidebar">
            <Prose text={sidebar} />
          </div>
        )}
        <p class="note">
          Created on {dateOf(created)}, {plural(forum.submissions, "submission")}
        </p>
        <p>
          <a class="button" href={`/submit/${name}`}>
            Submit to this forum
          </a>
        </p>
      </section>
      <section>
        <h2>Moderators</h2>
        <ul class="plain">
          {moderators.map(({ user }) => (
            <li>
              <UserLink tables={tables} user={user} />
            </li>
          ))}
        </ul>
      </section>
      {isModerator(tables, visitor, forum) && (
        <section>
          <h2>Toolbox</h2>
          <ul class="plain">
            <li>
              <a href={`/f/${name}/edit`}>Edit forum</a>
            </li>
          </ul>
        </section>
      )}
    </>
  );
};

const ForumLinks: FC<{ title: string; forums: readonly Forum[] }> = ({ title, forums }) => (
  <section>
    <h2>{title}</h2>
    {forums.length === 0 && <p class="note">None yet.</p>}
    <ul class="chips">
      {forums.map(({ name }) => (
        <li>
          <a href={`/f/${name}`}>{name}</a>
        </li>
      ))}
    </ul>
  </section>
);

/** Sidebar of the front page, with the visitor's own forums first. */
export const FrontSections: FC<{ visit: Visit }> = ({ visit: { tables, visitor } }) => {
  const byName = (one: Forum, other: Forum) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1);
  const own = new Set(tables.subscriptions.filter(({ user }) => user === visitor?.id).map(({ forum }) => forum));
  return (
    <>
      {visitor && (
        <ForumLinks title="Subscribed forums" forums={tables.forums.filter(({ id }) => own.has(id)).sort(byName)} />
      )}
      <ForumLinks
        title="Featured forums"
        forums={tables.forums.filter(({ id, isFeatured }) => isFeatured && !own.has(id)).sort(byName)}
      />
      <section>
        <h2>Start your own</h2>
        <p>Is there no forum yet for what you care about?</p>
        <p>
          <a class="button" href="/create_forum">
            Create new forum
          </a>
        </p>
      </section>
    </>
  );
};
