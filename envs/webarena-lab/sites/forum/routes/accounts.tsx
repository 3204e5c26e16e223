/** Routes of accounts: login, logout and settings. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { now } from "../../../clock.js";
import type { SiteEnv } from "../../site.js";
import { Errors, Page } from "../pages/layout.js";
import type { User } from "../rows.js";
import { type ForumContext, fieldsOf, logIn, logOut, type Visit, visitOf } from "../visit.js";
import { forbidden, notFound, toLogin } from "./refusals.js";
import { userOf } from "./users.js";

export const accounts = new Hono<SiteEnv>();

interface FieldProps {
  id: string;
  label: string;
  value?: string;
  type?: "text" | "password";
}

const Field: FC<FieldProps> = ({ id, label, value = "", type = "text" }) => (
  <>
    <label for={id}>{label}</label>
    <input id={id} name={id} type={type} value={value} required />
  </>
);

/** Returns the page to show after login. The page is always a path of this site. */
function targetOf(from: string): string {
  return /^\/(?![/\\])/.test(from) ? from : "/";
}

interface LoginProps {
  visit: Visit;
  from: string;
  username?: string;
  errors?: readonly string[];
}

const LoginPage: FC<LoginProps> = ({ visit, from, username = "", errors = [] }) => (
  <Page visit={visit} title="Log in">
    <h1>Log in</h1>
    <Errors errors={errors} />
    <form class="form form--narrow" action="/login" method="post">
      <input type="hidden" name="from" value={from} />
      <Field id="username" label="Username" value={username} />
      <Field id="password" label="Password" type="password" />
      <button type="submit">Log in</button>
    </form>
    <p class="note">
      New here? <a href="/registration">Create an account</a>
    </p>
  </Page>
);

accounts.get("/login", (context) =>
  context.html(<LoginPage visit={visitOf(context)} from={targetOf(context.req.query("from") ?? "")} />),
);

accounts.post("/login", async (context) => {
  const visit = visitOf(context);
  const { username, password, from } = await fieldsOf(context, ["username", "password", "from"]);
  const user = visit.tables.users.find((one) => one.name.toLowerCase() === username.toLowerCase());
  if (!user || user.password !== password) {
    const errors = ["The username or the password is wrong."];
    return context.html(<LoginPage visit={visit} from={targetOf(from)} username={username} errors={errors} />, 401);
  }
  logIn(context, user);
  return context.redirect(targetOf(from));
});

accounts.post("/logout", (context) => {
  logOut(context);
  return context.redirect("/");
});

const RegistrationPage: FC<{ visit: Visit; username?: string; errors?: readonly string[] }> = ({
  visit,
  username = "",
  errors = [],
}) => (
  <Page visit={visit} title="Create an account">
    <h1>Create an account</h1>
    <Errors errors={errors} />
    <form class="form form--narrow" action="/registration" method="post">
      <Field id="username" label="Username" value={username} />
      <Field id="password" label="Password" type="password" />
      <Field id="repeat" label="Password (repeat)" type="password" />
      <button type="submit">Sign up</button>
    </form>
  </Page>
);

accounts.get("/registration", (context) => context.html(<RegistrationPage visit={visitOf(context)} />));

accounts.post("/registration", async (context) => {
  const visit = visitOf(context);
  const { users } = visit.tables;
  const { username, password, repeat } = await fieldsOf(context, ["username", "password", "repeat"]);
  const errors = [
    ...(/^\w{3,25}$/.test(username) ? [] : ["The username must have 3 to 25 letters, digits or underscores."]),
    ...(users.find(({ name }) => name.toLowerCase() === username.toLowerCase()) ? ["This username is taken."] : []),
    ...passwordFaults(password, repeat),
  ];
  if (errors.length > 0)
    return context.html(<RegistrationPage visit={visit} username={username} errors={errors} />, 422);
  logIn(context, users.insert({ name: username, password, created: now, biography: "" }));
  return context.redirect("/");
});

function passwordFaults(password: string, repeat: string): string[] {
  return [
    ...(password.length < 8 ? ["The password must have at least 8 characters."] : []),
    ...(password === repeat ? [] : ["The two passwords are not the same."]),
  ];
}

/** Calls `then` if the page belongs to the visitor's own account. Otherwise responds with a refusal. */
function withOwn(
  context: ForumContext,
  then: (visit: Visit, user: User) => Response | Promise<Response>,
): Response | Promise<Response> {
  const visit = visitOf(context);
  const user = userOf(context);
  if (!user) return notFound(context);
  if (!visit.visitor) return toLogin(context);
  return user.id === visit.visitor.id ? then(visit, user) : forbidden(context, "This is not your account.");
}

accounts.get("/user/:user/edit_biography", (context) =>
  withOwn(context, (visit, { biography }) =>
    context.html(
      <Page visit={visit} title="Edit biography">
        <h1>Edit biography</h1>
        <form class="form" action={visit.address} method="post">
          <label for="user_biography">Biography</label>
          <textarea id="user_biography" name="biography" rows={6} maxlength={10_000}>
            {biography}
          </textarea>
          <button type="submit">Save</button>
        </form>
      </Page>,
    ),
  ),
);

accounts.post("/user/:user/edit_biography", (context) =>
  withOwn(context, async ({ tables }, { id, name }) => {
    const { biography } = await fieldsOf(context, ["biography"]);
    tables.users.update(id, { biography: biography.slice(0, 10_000) });
    return context.redirect(`/user/${name}`);
  }),
);

const AccountPage: FC<{ visit: Visit; user: User; said?: string; errors?: readonly string[] }> = ({
  visit,
  user: { name },
  said,
  errors = [],
}) => (
  <Page visit={visit} title="Account settings">
    <h1>Account settings</h1>
    {said && (
      <p class="success" role="status">
        {said}
      </p>
    )}
    <Errors errors={errors} />
    <h2>Change password</h2>
    <form class="form form--narrow" action={`/user/${name}/account`} method="post">
      <Field id="current" label="Current password" type="password" />
      <Field id="password" label="New password" type="password" />
      <Field id="repeat" label="New password (repeat)" type="password" />
      <button type="submit">Save changes</button>
    </form>
    <h2>Delete account</h2>
    <p>Your submissions and comments stay without your name. This cannot be undone.</p>
    <form class="form form--narrow" action={`/user/${name}/delete_account`} method="post">
      <Field id="confirmation" label="Write your username to confirm" />
      <button type="submit" class="danger">
        Delete account
      </button>
    </form>
  </Page>
);

accounts.get("/user/:user/account", (context) =>
  withOwn(context, (visit, user) => context.html(<AccountPage visit={visit} user={user} />)),
);

accounts.post("/user/:user/account", (context) =>
  withOwn(context, async (visit, user) => {
    const { current, password, repeat } = await fieldsOf(context, ["current", "password", "repeat"]);
    const errors = [
      ...(current === user.password ? [] : ["The current password is wrong."]),
      ...passwordFaults(password, repeat),
    ];
    if (errors.length > 0) return context.html(<AccountPage visit={visit} user={user} errors={errors} />, 422);
    visit.tables.users.update(user.id, { password });
    return context.html(<AccountPage visit={visit} user={user} said="Your password was changed." />);
  }),
);

accounts.post("/user/:user/delete_account", (context) =>
  withOwn(context, async (visit, user) => {
    const { confirmation } = await fieldsOf(context, ["confirmation"]);
    if (confirmation !== user.name) {
      const errors = ["This is not your username. The account was not deleted."];
      return context.html(<AccountPage visit={visit} user={user} errors={errors} />, 422);
    }
    logOut(context);
    visit.tables.users.remove(user.id);
    return context.redirect("/");
  }),
);
