/** The list of customers, and the form for one customer. */
import { Hono } from "hono";
import { idOf, longDate, money, number9, timestamp } from "../shop/format.js";
import { AddressLines } from "../shop/layout.js";
import type { Address, Customer } from "../shop/records.js";
import { statusNames } from "../shop/status.js";
import { fieldsOf, redirect } from "../shop/visitor.js";
import type { SiteEnv } from "../site.js";
import { adminPage, Choice, Field, missing } from "./frame.js";
import { type Column, Grid } from "./grid.js";

export const customerAdmin = new Hono<SiteEnv>({ strict: false });

const groupNames = ["General", "Wholesale", "Retailer"];

type Known = Customer & { home: Address | undefined };

const columns: readonly Column<Known>[] = [
  { key: "id", label: "ID", text: ({ id }) => `${id}`, order: ({ id }) => id, filter: "range" },
  { key: "name", label: "Name", text: ({ firstName, lastName }) => `${firstName} ${lastName}`, filter: "text" },
  { key: "email", label: "Email", text: ({ email }) => email, filter: "text" },
  { key: "group", label: "Group", text: ({ group }) => groupNames[group - 1] ?? "", filter: groupNames },
  { key: "phone", label: "Phone", text: ({ home }) => home?.telephone ?? "", filter: "text" },
  { key: "zip", label: "ZIP", text: ({ home }) => home?.postcode ?? "", filter: "text" },
  { key: "city", label: "City", text: ({ home }) => home?.city ?? "", filter: "text" },
  { key: "state", label: "State/Province", text: ({ home }) => home?.region ?? "", filter: "text" },
  {
    key: "since",
    label: "Customer Since",
    filter: "dates",
    text: ({ createdAt }) => timestamp(createdAt),
    order: ({ createdAt }) => createdAt,
  },
];

customerAdmin.get("/customer/index", (context) => {
  const { shop } = context.env;
  const rows = [...shop.customers].map((customer) => ({
    ...customer,
    home: customer.billing === null ? undefined : shop.addresses.get(customer.billing),
  }));
  return adminPage(
    context,
    "Customers",
    <Grid
      context={context}
      rows={rows}
      columns={columns}
      first={{ key: "id", isDescending: false }}
      keyword={({ firstName, lastName, email, home }) =>
        `${firstName} ${lastName}\n${email}\n${home?.telephone ?? ""}\n${home?.postcode ?? ""}`
      }
      action={{ label: "Edit", url: ({ id }) => `/admin/customer/index/edit/id/${id}/` }}
    />,
  );
});

customerAdmin.get("/customer/index/edit/id/:id", (context) => {
  const { shop } = context.env;
  const customer = shop.customers.get(idOf(context.req.param("id")) ?? 0);
  if (!customer) return missing(context, "customer");
  const { id, firstName, lastName, email, group, createdAt } = customer;
  const orders = shop.orders.filter((order) => order.customer === id).reverse();
  const sales = orders.filter(({ status }) => status === "complete").reduce((sum, { total }) => sum + total, 0);
  return adminPage(
    context,
    `${firstName} ${lastName}`,
    <>
      <p>
        Customer since {longDate(createdAt)}. Lifetime sales of completed orders: {money(sales)}
      </p>
      <form class="fields" method="post" action={`/admin/customer/index/save/id/${id}/`}>
        <h2>Account Information</h2>
        <Choice
          name="customer[group_id]"
          label="Group"
          value={`${group}`}
          choices={groupNames.map((name, at) => [`${at + 1}`, name] as const)}
        />
        <Field name="customer[firstname]" label="First Name" value={firstName} />
        <Field name="customer[lastname]" label="Last Name" value={lastName} />
        <Field name="customer[email]" label="Email" value={email} />
        <p>
          <label>
            <input type="checkbox" name="subscription" value="1" checked={customer.isSubscribed} /> Subscribed to
            Newsletter
          </label>
        </p>
        <button type="submit" class="primary">
          Save Customer
        </button>
      </form>
      <h2>Addresses</h2>
      <div class="halves">
        {shop.addresses
          .filter((address) => address.customer === id)
          .map((address) => (
            <AddressLines place={address} />
          ))}
      </div>
      <h2>Orders</h2>
      <table class="data-grid">
        {orders.map((order) => (
          <tr>
            <td>
              <a href={`/admin/sales/order/view/order_id/${order.id}/`}>{number9(order.id)}</a>
            </td>
            <td>{timestamp(order.at)}</td>
            <td>{statusNames[order.status]}</td>
            <td>{money(order.total)}</td>
          </tr>
        ))}
      </table>
    </>,
  );
});

customerAdmin.post("/customer/index/save/id/:id", async (context) => {
  const { customers } = context.env.shop;
  const customer = customers.get(idOf(context.req.param("id")) ?? 0);
  if (!customer) return missing(context, "customer");
  const fields = await fieldsOf(context);
  const own = (name: string) => fields[`customer[${name}]`] ?? "";
  const [firstName, lastName, email, group] = [
    own("firstname"),
    own("lastname"),
    own("email"),
    Number(own("group_id")),
  ];
  const back = `/admin/customer/index/edit/id/${customer.id}/`;
  if (!firstName || !lastName) return redirect(context, back, "First Name and Last Name are required fields.", "error");
  if (!/^[^@\s]+@[^@\s]+$/.test(email) || !groupNames[group - 1])
    return redirect(context, back, "Please enter a valid email address and group.", "error");
  if (customers.find(({ id, email: other }) => id !== customer.id && other.toLowerCase() === email.toLowerCase()))
    return redirect(context, back, "A customer with the same email address already exists.", "error");
  customers.update(customer.id, { firstName, lastName, email, group, isSubscribed: fields.subscription === "1" });
  return redirect(context, back, "You saved the customer.");
});
