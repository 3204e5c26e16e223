/** Accounts and login forms of the published sites. The passwords are published in the benchmark and are not secret. */
import type { SiteName } from "../shared/web-tasks/tasks/sites.js";
import type { LoginSettings, SiteSettings } from "./settings.js";

export interface Account {
  account: { username: string; password: string };
  login: LoginSettings;
}

const published: Partial<Record<SiteName, Account>> = {
  shopping: {
    account: { username: "emma.lopez@gmail.com", password: "Password.123" },
    login: {
      path: "/customer/account/login/",
      username: "Email",
      password: "Password",
      button: "Sign In",
      check: { path: "/wishlist/" },
    },
  },
  shopping_admin: {
    account: { username: "admin", password: "admin1234" },
    login: {
      path: "",
      username: "user name",
      password: "password",
      button: "Sign in",
      check: { path: "/dashboard", text: "Dashboard" },
    },
  },
  reddit: {
    account: { username: "MarvelsGrantMan136", password: "test1234" },
    login: {
      path: "/login",
      username: "Username",
      password: "Password",
      button: "Log in",
      check: { path: "/user/MarvelsGrantMan136/account", text: "Delete" },
    },
  },
  gitlab: {
    account: { username: "byteblaze", password: "hello1234" },
    login: {
      path: "/users/sign_in",
      username: "Username or email",
      password: "Password",
      button: "Sign in",
      check: { path: "/-/profile" },
    },
  },
};

/** Returns the user name and password of the agent on a site, or undefined if the site has no accounts. */
export function credentialsOf(
  site: SiteName,
  { account }: Pick<SiteSettings, "account">,
): Account["account"] | undefined {
  return account ?? published[site]?.account;
}

/** Returns the account and the login form of the agent on a site, or undefined if the site needs no login form. */
export function accountOf(site: SiteName, { account, login, headers }: SiteSettings): Account | undefined {
  // Sites that log in by a header need no form.
  if (headers && !login) return undefined;
  const own = { account: credentialsOf(site, { account }), login: login ?? published[site]?.login };
  return own.account && own.login ? { account: own.account, login: own.login } : undefined;
}
