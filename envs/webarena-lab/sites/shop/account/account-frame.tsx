/** The frame of a customer's own pages. */
import type { FC, PropsWithChildren } from "hono/jsx";
import { page } from "../layout.js";
import type { Customer } from "../records.js";
import { redirect, type ShopContext, visitorOf } from "../visitor.js";

const links = [
  ["/customer/account/", "My Account"],
  ["/sales/order/history/", "My Orders"],
  ["/wishlist/", "My Wish List"],
  ["/customer/address/", "Address Book"],
  ["/customer/account/edit/", "Account Information"],
  ["/review/customer/", "My Product Reviews"],
  ["/newsletter/manage/", "Newsletter Subscriptions"],
] as const;

const Frame: FC<PropsWithChildren<{ path: string; title: string }>> = ({ path, title, children }) => (
  <div class="columns account">
    <nav aria-label="Account" class="account-nav">
      <ul>
        {links.map(([url, name]) => (
          <li>
            <a href={url} aria-current={`${path.replace(/\/$/, "")}/` === url ? "page" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    <div class="list">
      <h1>{title}</h1>
      {children}
    </div>
  </div>
);

/** Responds with a page of the customer's account. */
export function accountPage(context: ShopContext, title: string, content: unknown) {
  return page(
    context,
    title,
    <Frame path={context.req.path} title={title}>
      {content as string}
    </Frame>,
  );
}

/** Redirects a visitor to the login page. After the login, the visitor returns to the requested page. */
export function toLogin(context: ShopContext): Response {
  const to =
    context.req.method === "GET" ? `?${new URLSearchParams({ referer: new URL(context.req.url).pathname })}` : "";
  return redirect(context, `/customer/account/login/${to}`);
}

/** Creates a handler that serves only logged-in customers. */
export function forCustomer(
  handler: (context: ShopContext, customer: Customer) => Response | Promise<Response>,
): (context: ShopContext) => Response | Promise<Response> {
  return (context) => {
    const { customer } = visitorOf(context);
    return customer ? handler(context, customer) : toLogin(context);
  };
}
