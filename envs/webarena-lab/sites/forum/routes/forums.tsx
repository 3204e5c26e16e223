/** Routes of forums: the list of forums, the page of a forum, and the forms that create and edit a forum. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { now } from "../../../clock.js";
import type { SiteEnv } from "../../site.js";
import { isModerator, subscribe, unsubscribe } from "../changes.js";
import { Errors, Page, Tabs } from "../pages/layout.js";
import { Pages, pageOf, part } from "../pages/paging.js";
import { ForumSections, SubscribeForm } from "../pages/sidebars.js";
import { SortNav, SubmissionList } from "../pages/submissions.js";
import { plural } from "../pages/text.js";
import { ranked, type Sort } from "../ranking.js";
import type { Forum } from "../rows.js";
import { backTo, type ForumContext, fieldsOf, type Visit, visitOf } from "../visit.js";
import { rangeOf } from "./front.js";
import { forbidden, notFound, toLogin } from "./refusals.js";

const orders = {
  by_name: ["By name", (one: Forum, other: Forum) => compare(one.name, other.name)],
  by_title: ["By title", (one: Forum, other: Forum) => compare(one.title, other.title)],
  by_submissions: [
    "By submissions",
    (one: Forum, other: Forum) => other.submissions - one.submissions || one.id - other.id,
  ],
  by_subscribers: [
    "By subscribers",
    (one: Forum, other: Forum) => other.subscribers - one.subscribers || one.id - other.id,
  ],
} as const;

export type ForumOrder = keyof typeof orders;

function compare(one: string, other: string): number {
  return one.toLowerCase() < other.toLowerCase() ? -1 : 1;
}

export function forumsInOrder(forums: Iterable<Forum>, order: ForumOrder): Forum[] {
  return [...forums].sort(orders[order][1]);
}

/** Returns the forum that an address names. Case is ignored. */
export function forumOf(context: ForumContext): Forum | undefined {
  return forumNamed(visitOf(context), context.req.param("forum") ?? "");
}

export function forumNamed({ tables }: Visit, name: string): Forum | undefined {
  return tables.forums.find((one) => one.name.toLowerCase() === name.toLowerCase());
}

export const forums = new Hono<SiteEnv>();

forums.get("/forums", (context) => list(context, "by_name"));
forums.get("/forums/all", (context) => list(context, "by_name"));
forums.get("/forums/:order{(?:by_name|by_title|by_submissions|by_subscribers)}", (context) =>
  list(context, context.req.param("order") as ForumOrder),
);

function list(context: ForumContext, order: ForumOrder) {
  const visit = visitOf(context);
  const all = forumsInOrder(visit.tables.forums, order);
  return context.html(
    <Page visit={visit} title="List of forums">
      <h1>Forums</h1>
      <Tabs
        label="Sort by"
        links={(Object.keys(orders) as ForumOrder[]).map((name) => ({
          text: orders[name][0],
          href: `/forums/${name}`,
          isHere: name === order,
        }))}
      />
      <table class="forum-list">
        <thead>
          <tr>
            <th scope="col">Forum</th>
            <th scope="col">Submissions</th>
            <th scope="col">Subscribers</th>
          </tr>
        </thead>
        <tbody>
          {part(all, pageOf(visit.address)).map((forum) => (
            <tr>
              <td>
                <a href={`/f/${forum.name}`}>{forum.name}</a> <span class="forum-title">{forum.title}</span>
                <p class="note">{forum.description}</p>
              </td>
              <td>{plural(forum.submissions, "submission")}</td>
              <td>
                <SubscribeForm visit={visit} forum={forum} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pages address={visit.address} count={all.length} />
    </Page>,
  );
}

forums.get("/f/:forum", (context) => show(context, "hot"));
forums.get("/f/:forum/:sort{(?:hot|new|active|top|controversial|most_commented)}", (context) =>
  show(context, context.req.param("sort") as Sort),
);

function show(context: ForumContext, sort: Sort) {
  const visit = visitOf(context);
  const forum = forumOf(context);
  if (!forum) return notFound(context);
  const own = visit.tables.submissions.where("forum", forum.id);
  const range = rangeOf(context);
  return context.html(
    <Page visit={visit} title={`${forum.name}: ${forum.title}`} sidebar={<ForumSections visit={visit} forum={forum} />}>
      <h1 class="page-heading">
        <a href={`/f/${forum.name}`}>/f/{forum.name}</a> <small>{forum.title}</small>
      </h1>
      <SortNav base={`/f/${forum.name}`} sort={sort} range={range} />
      <SubmissionList visit={visit} submissions={ranked(own, sort, range)} />
    </Page>,
  );
}

forums.post("/f/:forum/:change{(?:subscribe|unsubscribe)}", (context) => {
  const { tables, visitor } = visitOf(context);
  const forum = forumOf(context);
  if (!forum) return notFound(context);
  if (!visitor) return toLogin(context);
  if (context.req.param("change") === "subscribe") subscribe(tables, visitor, forum);
  else unsubscribe(tables, visitor, forum);
  return context.redirect(backTo(context, `/f/${forum.name}`));
});

const fieldNames = ["name", "title", "description", "sidebar"] as const;
type Fields = Record<(typeof fieldNames)[number], string>;

interface FormProps {
  visit: Visit;
  heading: string;
  action: string;
  button: string;
  fields: Fields;
  errors?: readonly string[];
}

const ForumForm: FC<FormProps> = ({ visit, heading, action, button, fields, errors = [] }) => (
  <Page visit={visit} title={heading}>
    <h1>{heading}</h1>
    <Errors errors={errors} />
    <form class="form" action={action} method="post">
      <label for="forum_name">Name</label>
      <input id="forum_name" name="name" value={fields.name} required maxlength={25} />
      <p class="note">3 to 25 letters, digits and underscores. It is a part of the address.</p>
      <label for="forum_title">Title</label>
      <input id="forum_title" name="title" value={fields.title} required maxlength={100} />
      <label for="forum_description">Description</label>
      <textarea id="forum_description" name="description" rows={3} maxlength={300}>
        {fields.description}
      </textarea>
      <label for="forum_sidebar">Sidebar</label>
      <textarea id="forum_sidebar" name="sidebar" rows={8} maxlength={1500}>
        {fields.sidebar}
      </textarea>
      <button type="submit">{button}</button>
    </form>
  </Page>
);

/**
 * Returns the errors in the fields of a forum form.
 *
 * @param own the forum that is edited, which may keep its name
 */
function faultsOf(visit: Visit, { name, title, description, sidebar }: Fields, own?: Forum): string[] {
  const named = forumNamed(visit, name);
  return [
    ...(/^\w{3,25}$/.test(name) ? [] : ["The name must have 3 to 25 letters, digits or underscores."]),
    ...(named && named.id !== own?.id ? [`There is a forum with the name "${name}" already.`] : []),
    ...(title === "" ? ["The title must not be empty."] : []),
    ...(title.length > 100 ? ["The title must have at most 100 characters."] : []),
    ...(description.length > 300 ? ["The description must have at most 300 characters."] : []),
    ...(sidebar.length > 1500 ? ["The sidebar must have at most 1,500 characters."] : []),
  ];
}

const creation = { heading: "Create new forum", action: "/create_forum", button: "Create forum" };

forums.get("/create_forum", (context) => {
  const visit = visitOf(context);
  if (!visit.visitor) return toLogin(context);
  return context.html(
    <ForumForm visit={visit} {...creation} fields={{ name: "", title: "", description: "", sidebar: "" }} />,
  );
});

forums.post("/create_forum", async (context) => {
  const visit = visitOf(context);
  const { tables, visitor } = visit;
  if (!visitor) return toLogin(context);
  const fields = await fieldsOf(context, fieldNames);
  const errors = faultsOf(visit, fields);
  if (errors.length > 0)
    return context.html(<ForumForm visit={visit} {...creation} fields={fields} errors={errors} />, 422);
  const forum = tables.forums.insert({ ...fields, created: now, isFeatured: false, subscribers: 0, submissions: 0 });
  tables.moderators.insert({ forum: forum.id, user: visitor.id });
  subscribe(tables, visitor, forum);
  return context.redirect(`/f/${forum.name}`);
});

function changing({ name }: Forum) {
  return { heading: `Editing /f/${name}`, action: `/f/${name}/edit`, button: "Save changes" };
}

forums.get("/f/:forum/edit", (context) => {
  const visit = visitOf(context);
  const forum = forumOf(context);
  if (!forum) return notFound(context);
  if (!visit.visitor) return toLogin(context);
  if (!isModerator(visit.tables, visit.visitor, forum)) return forbidden(context, "Only moderators can edit a forum.");
  return context.html(<ForumForm visit={visit} {...changing(forum)} fields={forum} />);
});

forums.post("/f/:forum/edit", async (context) => {
  const visit = visitOf(context);
  const forum = forumOf(context);
  if (!forum) return notFound(context);
  if (!visit.visitor) return toLogin(context);
  if (!isModerator(visit.tables, visit.visitor, forum)) return forbidden(context, "Only moderators can edit a forum.");
  const fields = await fieldsOf(context, fieldNames);
  const errors = faultsOf(visit, fields, forum);
  if (errors.length > 0)
    return context.html(<ForumForm visit={visit} {...changing(forum)} fields={fields} errors={errors} />, 422);
  const { name } = visit.tables.forums.update(forum.id, fields);
  return context.redirect(`/f/${name}`);
});
