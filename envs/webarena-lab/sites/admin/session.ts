/** Session of the administrator. */
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { adminLogin } from "../shop/seed/extras.js";
import type { ShopContext } from "../shop/visitor.js";

const options = { path: "/", httpOnly: true } as const;

export function isAdministrator(context: ShopContext): boolean {
  const token = getCookie(context, adminLogin.name);
  return (
    token !== undefined && !!context.env.shop.sessions.find((session) => session.isAdmin && session.token === token)
  );
}

export function logIn(context: ShopContext): void {
  const { sessions } = context.env.shop;
  const session = sessions.insert({ token: `administrator-${[...sessions].length + 1}`, account: 0, isAdmin: true });
  setCookie(context, adminLogin.name, session.token, options);
}

export function logOut(context: ShopContext): void {
  const token = getCookie(context, adminLogin.name);
  const session = context.env.shop.sessions.find((one) => one.isAdmin && one.token === token);
  if (session) context.env.shop.sessions.remove(session.id);
  deleteCookie(context, adminLogin.name, { path: "/" });
}
