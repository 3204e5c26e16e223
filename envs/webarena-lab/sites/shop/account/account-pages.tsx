/** Pages for the login, the customer's account, and the newsletter. */
import { Hono } from "hono";
import { now } from "../../../clock.js";
import type { SiteEnv } from "../../site.js";
import { mergeCarts } from "../checkout/cart.js";
import { AddressLines, page } from "../layout.js";
import { closeSession, fieldsOf, localPath, openSession, redirect, visitorOf } from "../visitor.js";
import { accountPage, forCustomer } from "./account-frame.js";
import { OrderTable } from "./order-pages.js";

export const accountPages = new Hono<SiteEnv>({ strict: false });

const Field = ({
  name,
  label,
  value = "",
  kind = "text",
}: Record<"name" | "label", string> & { value?: string; kind?: string }) => (
  <p>
    <label for={name}>{label}</label>
    <input id={name} name={name} type={kind} value={value} />
  </p>
);

accountPages.get("/customer/account/login", (context) => {
  if (visitorOf(context).customer) return redirect(context, "/customer/account/");
  return page(
    context,
    "Customer Login",
    <>
      <h1>Customer Login</h1>
      <div class="halves">
        <form class="fields" method="post" action="/customer/account/loginPost/">
          <h2>Registered Customers</h2>
          <p>If you have an account, sign in with your email address.</p>
          <input type="hidden" name="referer" value={localPath(context.req.query("referer"))} />
          <Field name="email" label="Email" kind="email" />
          <Field name="password" label="Password" kind="password" />
          <button type="submit" class="primary">
            Sign In
          </button>
        </form>
        <div>
          <h2>New Customers</h2>
          <p>
            Creating an account has many benefits: check out faster, keep more than one address, track orders and more.
          </p>
          <a class="button" href="/customer/account/create/">
            Create an Account
          </a>
        </div>
      </div>
    </>,
  );
});

accountPages.post("/customer/account/loginPost", async (context) => {
  const { shop, session } = visitorOf(context);
  const { email = "", password, referer } = await fieldsOf(context);
  const customer = shop.customers.find((one) => one.email.toLowerCase() === email.toLowerCase());
  if (!customer || customer.password !== password)
    return redirect(
      context,
      "/customer/account/login/",
      "The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.",
      "error",
    );
  mergeCarts(shop, session, openSession(context, customer.id));
  const to = localPath(referer);
  return redirect(context, to === "/" ? "/customer/account/" : to);
});

accountPages.get("/customer/account/logout", (context) => {
  closeSession(context);
  return redirect(context, "/", "You are signed out.");
});

accountPages.get("/customer/account/create", (context) =>
  page(
    context,
    "Create New Customer Account",
    <>
      <h1>Create New Customer Account</h1>
      <form class="fields" method="post" action="/customer/account/createpost/">
        <Field name="firstname" label="First Name" />
        <Field name="lastname" label="Last Name" />
        <p>
          <label>
            <input type="checkbox" name="is_subscribed" value="1" /> Sign Up for Newsletter
          </label>
        </p>
        <Field name="email" label="Email" kind="email" />
        <Field name="password" label="Password" kind="password" />
        <Field name="password_confirmation" label="Confirm Password" kind="password" />
        <button type="submit">Create an Account</button>
      </form>
    </>,
  ),
);

accountPages.post("/customer/account/createpost", async (context) => {
  const { shop, session } = visitorOf(context);
  const { firstname = "", lastname = "", email = "", password = "", ...rest } = await fieldsOf(context);
  const refuse = (text: string) => redirect(context, "/customer/account/create/", text, "error");
  if (!firstname || !lastname) return refuse("First Name and Last Name are required fields.");
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) return refuse("Please enter a valid email address.");
  if (shop.customers.find((one) => one.email.toLowerCase() === email.toLowerCase()))
    return refuse("There is already an account with this email address.");
  if (password.length < 8) return refuse("The password needs at least 8 characters.");
  if (password !== rest.password_confirmation) return refuse("Please enter the same value again.");
  const own = { firstName: firstname, lastName: lastname, email, password, group: 1, createdAt: now };
  const isSubscribed = rest.is_subscribed === "1";
  const customer = shop.customers.insert({ ...own, isSubscribed, billing: null, shipping: null });
  mergeCarts(shop, session, openSession(context, customer.id));
  return redirect(context, "/customer/account/", "Thank you for registering with Portside Market.");
});

accountPages.on(
  "GET",
  ["/customer/account", "/customer/account/index"],
  forCustomer((context, customer) => {
    const { shop } = context.env;
    const recent = shop.orders
      .filter((order) => order.customer === customer.id)
      .reverse()
      .slice(0, 5);
    const place = (id: number | null) => (id === null ? undefined : shop.addresses.get(id));
    const [billing, shipping] = [place(customer.billing), place(customer.shipping)];
    return accountPage(
      context,
      "My Account",
      <>
        <h2>Account Information</h2>
        <div class="halves">
          <div class="box box-information">
            <h3>Contact Information</h3>
            <p class="box-content">
              {customer.firstName} {customer.lastName}
              <br />
              {customer.email}
            </p>
            <a href="/customer/account/edit/">Edit</a>
          </div>
          <div class="box box-newsletter">
            <h3>Newsletters</h3>
            <p>
              {customer.isSubscribed
                ? 'You are subscribed to "General Subscription".'
                : "You aren't subscribed to our newsletter."}
            </p>
            <a href="/newsletter/manage/">Edit newsletters</a>
          </div>
        </div>
        <h2>Address Book</h2> <a href="/customer/address/">Manage Addresses</a>
        <div class="halves">
          <div class="box">
            <h3>Default Billing Address</h3>
            {billing ? <AddressLines place={billing} /> : "You have not set a default billing address."}
          </div>
          <div class="box">
            <h3>Default Shipping Address</h3>
            {shipping ? <AddressLines place={shipping} /> : "You have not set a default shipping address."}
          </div>
        </div>
        <h2>Recent Orders</h2> <a href="/sales/order/history/">View All</a>
        <OrderTable orders={recent} />
      </>,
    );
  }),
);

accountPages.get(
  "/customer/account/edit",
  forCustomer((context, { firstName, lastName, email }) =>
    accountPage(
      context,
      "Edit Account Information",
      <form class="fields" method="post" action="/customer/account/editPost/">
        <Field name="firstname" label="First Name" value={firstName} />
        <Field name="lastname" label="Last Name" value={lastName} />
        <Field name="email" label="Email" kind="email" value={email} />
        <p>Your current password is needed for a change of the email address or the password.</p>
        <Field name="current_password" label="Current Password" kind="password" />
        <Field name="password" label="New Password" kind="password" />
        <Field name="password_confirmation" label="Confirm New Password" kind="password" />
        <button type="submit">Save</button>
      </form>,
    ),
  ),
);

accountPages.post(
  "/customer/account/editPost",
  forCustomer(async (context, customer) => {
    const { shop } = context.env;
    const { firstname = "", lastname = "", email = "", password = "", ...rest } = await fieldsOf(context);
    const refuse = (text: string) => redirect(context, "/customer/account/edit/", text, "error");
    if (!firstname || !lastname) return refuse("First Name and Last Name are required fields.");
    if (!/^[^@\s]+@[^@\s]+$/.test(email)) return refuse("Please enter a valid email address.");
    const isGuarded = email !== customer.email || password !== "";
    if (isGuarded && rest.current_password !== customer.password)
      return refuse("The password doesn't match this account. Verify the password and try again.");
    if (password !== (rest.password_confirmation ?? "")) return refuse("Please enter the same value again.");
    if (shop.customers.find((one) => one.id !== customer.id && one.email.toLowerCase() === email.toLowerCase()))
      return refuse("A customer with the same email address already exists.");
    const secret = password === "" ? {} : { password };
    shop.customers.update(customer.id, { firstName: firstname, lastName: lastname, email, ...secret });
    return redirect(context, "/customer/account/", "You saved the account information.");
  }),
);

accountPages.get(
  "/newsletter/manage",
  forCustomer((context, { isSubscribed }) =>
    accountPage(
      context,
      "Newsletter Subscription",
      <form class="fields" method="post" action="/newsletter/manage/save/">
        <fieldset>
          <legend>Subscription option</legend>
          <label>
            <input type="checkbox" name="is_subscribed" title="General Subscription" value="1" checked={isSubscribed} />{" "}
            General Subscription
          </label>
        </fieldset>
        <button type="submit">Save</button>
      </form>,
    ),
  ),
);

accountPages.post(
  "/newsletter/manage/save",
  forCustomer(async (context, { id }) => {
    const isSubscribed = (await fieldsOf(context)).is_subscribed === "1";
    context.env.shop.customers.update(id, { isSubscribed });
    const text = isSubscribed ? "We have saved your subscription." : "We have removed your newsletter subscription.";
    return redirect(context, "/customer/account/", text);
  }),
);

accountPages.post("/newsletter/subscriber/new", async (context) => {
  const { email = "" } = await fieldsOf(context);
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) return redirect(context, "/", "Please enter a valid email address.", "error");
  const { shop } = context.env;
  const customer = shop.customers.find((one) => one.email.toLowerCase() === email.toLowerCase());
  if (customer) shop.customers.update(customer.id, { isSubscribed: true });
  return redirect(context, "/", "Thank you for your subscription.");
});
