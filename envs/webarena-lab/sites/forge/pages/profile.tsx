/** Settings of the visitor's own profile. */
import type { Hono } from "hono";
import type { SiteEnv } from "../../site.js";
import { type Answer, loggedIn, page } from "../answers.js";
import { Area, Field } from "../parts.js";
import { formOf, type OwnVisit } from "../visit.js";

function form(visit: OwnVisit, saved?: string, alert?: string): Answer {
  const { user } = visit;
  return page(
    visit,
    { title: "Edit profile", alert, status: alert ? 422 : 200 },
    <>
      <h1>Edit profile</h1>
      {saved && (
        <p class="notice" role="status">
          {saved}
        </p>
      )}
      <form method="post" action="/-/profile" class="card">
        <h2>Current status</h2>
        <Field name="user[status][message]" label="What's your status?" value={user.status.message} />
        <Field name="user[status][emoji]" label="Status emoji" value={user.status.emoji} />
        <label class="check">
          <input type="checkbox" name="user[status][availability]" value="busy" checked={user.status.isBusy} /> Set
          yourself as busy
        </label>
        <h2>Main settings</h2>
        <Field name="user[name]" label="Full name" value={user.name} />
        <Field name="user[website_url]" label="Website url" value={user.website} />
        <Field name="user[location]" label="Location" value={user.location} />
        <Field name="user[job_title]" label="Job title" value={user.job} />
        <Field name="user[organization]" label="Organization" value={user.organization} />
        <Area name="user[bio]" label="Bio" value={user.bio} rows={3} />
        <button type="submit" class="primary">
          Update profile settings
        </button>
      </form>
    </>,
  );
}

async function save(visit: OwnVisit): Promise<Response> {
  const { forge, user } = visit;
  const field = await formOf(visit);
  const [name, address] = [field("user[name]"), field("user[website_url]")];
  if (name === "") return form(visit, undefined, "Name can't be blank");
  const website = address === "" || /^https?:\/\//.test(address) ? address : `https://${address}`;
  if (website !== "" && !/^https?:\/\/[^\s/]+\.[^\s]+$/.test(website))
    return form(visit, undefined, "Website url is not a valid URL");
  const message = field("user[status][message]").slice(0, 100);
  const changed = forge.users.update(user.id, {
    name,
    website,
    location: field("user[location]"),
    job: field("user[job_title]"),
    organization: field("user[organization]"),
    bio: field("user[bio]").slice(0, 255),
    status: { message, emoji: field("user[status][emoji]"), isBusy: field("user[status][availability]") === "busy" },
  });
  return form({ ...visit, user: changed }, "Profile was successfully updated");
}

export function addProfile(app: Hono<SiteEnv>): void {
  app.get(
    "/-/profile",
    loggedIn((visit) => form(visit)),
  );
  app.post("/-/profile", loggedIn(save));
}
