/** Signing in and out. */
import { createHash } from "node:crypto";
import type { Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { SiteEnv } from "../../site.js";
import { userNamed } from "../access.js";
import { type Answer, anyone, goOn, page } from "../answers.js";
import { Field, Logo } from "../parts.js";
import { login } from "../tables.js";
import { formOf, type Visit } from "../visit.js";

function form(visit: Visit, username = "", alert?: string): Answer {
  return page(
    visit,
    { title: "Sign in", alert, status: alert ? 422 : 200 },
    <div class="sign-in">
      <Logo />
      <h1>Sign in to Forge</h1>
      <form method="post" action="/users/sign_in" class="card">
        <Field name="user[login]" label="Username or email" value={username} testId="username-field" />
        <Field name="user[password]" label="Password" type="password" testId="password-field" />
        <button type="submit" class="primary" data-testid="sign-in-button">
          Sign in
        </button>
      </form>
    </div>,
  );
}

async function signIn(visit: Visit): Promise<Response> {
  const { forge, context } = visit;
  const field = await formOf(visit);
  const given = field("user[login]");
  const user = userNamed(forge, given) ?? forge.users.find(({ email }) => email === given.toLowerCase());
  if (!user || user.password !== field("user[password]")) return form(visit, given, "Invalid login or password.");
  const row = forge.sessions.insert({ token: "", account: user.id });
  const token = createHash("sha256").update(`forge session ${row.id} of ${user.id}`).digest("hex").slice(0, 32);
  forge.sessions.update(row.id, { token });
  setCookie(context, login.name, token, { httpOnly: true, path: "/" });
  return goOn(visit, "/");
}

function signOut(visit: Visit): Response {
  const { forge, context } = visit;
  const token = getCookie(context, login.name);
  const session = forge.sessions.find((one) => one.token === token);
  if (session) forge.sessions.remove(session.id);
  deleteCookie(context, login.name, { path: "/" });
  return goOn(visit, "/users/sign_in");
}

export function addSignIn(app: Hono<SiteEnv>): void {
  app.get(
    "/users/sign_in",
    anyone((visit) => (visit.user ? goOn(visit, "/") : form(visit))),
  );
  app.post("/users/sign_in", anyone(signIn));
  app.post("/users/sign_out", anyone(signOut));
}
