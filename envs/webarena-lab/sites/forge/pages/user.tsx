/** Public profiles of users. */
import type { Hono } from "hono";
import type { Child, FC } from "hono/jsx";
import type { SiteEnv } from "../../site.js";
import { userNamed, visibleProjects } from "../access.js";
import { type Answer, anyone, goOn, loggedIn, notFound, page } from "../answers.js";
import { shownDay } from "../dates.js";
import { Avatar, Tab } from "../parts.js";
import type { User } from "../records.js";
import type { OwnVisit, Visit } from "../visit.js";
import { ProjectList, sortedProjects } from "./project-list.js";
import { People } from "./search.js";

const tabs = ["Overview", "Personal projects", "Starred projects", "Followers", "Following"] as const;
type Tabs = (typeof tabs)[number];
const places: Record<Exclude<Tabs, "Overview">, string> = {
  "Personal projects": "projects",
  "Starred projects": "starred",
  Followers: "followers",
  Following: "following",
};

const Cover: FC<{ visit: Visit; user: User }> = ({ visit, user }) => {
  const { status, website } = user;
  const message = status.message || (status.isBusy ? "Busy" : "");
  const work = [user.job, user.organization].filter(Boolean).join(" at ");
  return (
    <header class="profile-header">
      <Avatar user={user} size="s96" />
      <div class="grow">
        <h1>
          {user.name} {status.isBusy && <span class="badge warning">Busy</span>}
        </h1>
        <p class="muted">
          <span>{`@${user.username}`}</span>
          {` · Member since ${shownDay(user.joined)}`}
        </p>
        {message && (
          <div class="cover-status">
            <span aria-hidden="true">{status.emoji || "💬"}</span>
            <span>{message}</span>
          </div>
        )}
        <p class="facts">
          {work && <span>{work}</span>}
          {user.location && <span>{user.location}</span>}
          <a href={`mailto:${user.email}`}>{user.email}</a>
          {website && (
            <a href={website} itemprop="url" rel="me">
              {website.replace(/^https?:\/\//, "").replace(/\/$/, "")}
            </a>
          )}
        </p>
        {user.bio && <p>{user.bio}</p>}
      </div>
      <FollowForm visit={visit} user={user} />
    </header>
  );
};

const FollowForm: FC<{ visit: Visit; user: User }> = ({ visit: { forge, user: visitor }, user }) => {
  if (!visitor) return null;
  if (visitor.id === user.id)
    return (
      <a class="button" href="/-/profile">
        Edit profile
      </a>
    );
  const isFollowed = forge.follows.find(({ follower, followed }) => follower === visitor.id && followed === user.id);
  return (
    <form method="post" action={`/users/${user.username}/${isFollowed ? "unfollow" : "follow"}`}>
      <button type="submit" class={isFollowed ? "" : "primary"}>
        {isFollowed ? "Unfollow" : "Follow"}
      </button>
    </form>
  );
};

function profile(visit: Visit, user: User, active: Tabs, children: Child): Answer {
  const { forge } = visit;
  const count = (fits: (follow: { follower: number; followed: number }) => boolean) =>
    forge.follows.filter(fits).length;
  const counts: Partial<Record<Tabs, number>> = {
    Followers: count(({ followed }) => followed === user.id),
    Following: count(({ follower }) => follower === user.id),
  };
  return page(
    visit,
    { title: user.name },
    <div class="user-profile">
      <Cover visit={visit} user={user} />
      <ul class="tabs">
        {tabs.map((tab) => {
          const href = tab === "Overview" ? `/${user.username}` : `/users/${user.username}/${places[tab]}`;
          const many = counts[tab];
          return (
            <Tab href={href} isActive={tab === active} {...(many === undefined ? {} : { count: many })}>
              {tab}
            </Tab>
          );
        })}
      </ul>
      {children}
    </div>,
  );
}

function onUser(handle: (visit: Visit, user: User) => Answer) {
  return anyone((visit) => {
    const user = userNamed(visit.forge, visit.context.req.param("username") ?? "");
    return user ? handle(visit, user) : notFound(visit);
  });
}

function personal({ forge, user: visitor }: Visit, user: User) {
  return sortedProjects(
    visibleProjects(forge, visitor).filter(({ namespace }) => namespace === user.username),
    undefined,
  );
}

export function overview(visit: Visit, user: User): Answer {
  const { forge } = visit;
  const commits = forge.commits.filter(({ author }) => author === user.id).length;
  const issues = forge.issues.filter(({ author }) => author === user.id).length;
  return profile(
    visit,
    user,
    "Overview",
    <>
      <h2>Activity</h2>
      <p>{`${commits} commits and ${issues} issues.`}</p>
      <h2>Personal projects</h2>
      <ProjectList visit={visit} projects={personal(visit, user).slice(0, 8)} />
    </>,
  );
}

function starredProjects(visit: Visit, user: User): Answer {
  const ids = new Set(visit.forge.stars.filter((star) => star.user === user.id).map(({ project }) => project));
  const projects = visibleProjects(visit.forge, visit.user).filter(({ id }) => ids.has(id));
  return profile(
    visit,
    user,
    "Starred projects",
    <ProjectList visit={visit} projects={sortedProjects(projects, "name_asc")} />,
  );
}

function relatives(visit: Visit, user: User, tab: "Followers" | "Following"): Answer {
  const { forge } = visit;
  const ids = forge.follows.filter((one) => (tab === "Following" ? one.follower : one.followed) === user.id);
  const users = ids.map((one) => forge.users.need(tab === "Following" ? one.followed : one.follower));
  const empty = tab === "Following" ? `${user.name} does not follow anyone.` : `Nobody follows ${user.name} yet.`;
  return profile(
    visit,
    user,
    tab,
    users.length > 0 ? <People visit={visit} users={users} /> : <p class="empty">{empty}</p>,
  );
}

/** @param isOn true to follow the user, false to unfollow */
function follow(visit: OwnVisit, isOn: boolean): Answer {
  const { forge, user, context } = visit;
  const other = userNamed(forge, context.req.param("username") ?? "");
  if (!other) return notFound(visit);
  const known = forge.follows.find(({ follower, followed }) => follower === user.id && followed === other.id);
  if (isOn && !known && other.id !== user.id) forge.follows.insert({ follower: user.id, followed: other.id });
  if (!isOn && known) forge.follows.remove(known.id);
  return goOn(visit, `/${other.username}`);
}

export function addUser(app: Hono<SiteEnv>): void {
  app.get(
    "/users/:username/projects",
    onUser((visit, user) =>
      profile(visit, user, "Personal projects", <ProjectList visit={visit} projects={personal(visit, user)} />),
    ),
  );
  app.get("/users/:username/starred", onUser(starredProjects));
  app.get(
    "/users/:username/followers",
    onUser((visit, user) => relatives(visit, user, "Followers")),
  );
  app.get(
    "/users/:username/following",
    onUser((visit, user) => relatives(visit, user, "Following")),
  );
  app.post(
    "/users/:username/follow",
    loggedIn((visit) => follow(visit, true)),
  );
  app.post(
    "/users/:username/unfollow",
    loggedIn((visit) => follow(visit, false)),
  );
}
