/** The address book of a customer. */
import { Hono } from "hono";
import type { SiteEnv } from "../../site.js";
import { AddressLines, notFound } from "../layout.js";
import type { Address, Customer } from "../records.js";
import { fieldsOf, redirect, type ShopContext } from "../visitor.js";
import { accountPage, forCustomer } from "./account-frame.js";
import { AddressFields, lacks, readPlace } from "./address-form.js";

export const addressPages = new Hono<SiteEnv>({ strict: false });

const own = ({ env: { shop } }: ShopContext, customer: Customer) =>
  shop.addresses.filter((address) => address.customer === customer.id);

addressPages.on(
  "GET",
  ["/customer/address", "/customer/address/index"],
  forCustomer((context, customer) => {
    const addresses = own(context, customer);
    const box = (kind: "billing" | "shipping") => {
      const address = addresses.find(({ id }) => id === customer[kind]);
      const title = `Default ${kind === "billing" ? "Billing" : "Shipping"} Address`;
      return (
        <div class={`box box-address-${kind}`}>
          <h3 class="box-title">{title}</h3>
          <div class="box-content">
            {address ? <AddressLines place={address} /> : `You have no default ${kind} address in your address book.`}
          </div>
          {address && (
            <a href={`/customer/address/edit/id/${address.id}/`}>
              Change {kind === "billing" ? "Billing" : "Shipping"} Address
            </a>
          )}
        </div>
      );
    };
    const others = addresses.filter(({ id }) => id !== customer.billing && id !== customer.shipping);
    return accountPage(
      context,
      "Address Book",
      <>
        <h2>Default Addresses</h2>
        <div class="halves">
          {box("billing")}
          {box("shipping")}
        </div>
        <h2>Additional Address Entries</h2>
        {others.length === 0 ? (
          <p>You have no other address entries in your address book.</p>
        ) : (
          <OtherAddresses addresses={others} />
        )}
        <a class="button" href="/customer/address/new/">
          Add New Address
        </a>
      </>,
    );
  }),
);

const OtherAddresses = ({ addresses }: { addresses: readonly Address[] }) => (
  <table>
    <thead>
      <tr>
        {["Name", "Street Address", "City", "State", "Zip/Postal Code", "Phone", "Actions"].map((label) => (
          <th scope="col">{label}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {addresses.map(({ id, firstName, lastName, street, city, region, postcode, telephone }) => (
        <tr>
          <td>
            {firstName} {lastName}
          </td>
          <td>{street.join(", ")}</td>
          <td>{city}</td>
          <td>{region}</td>
          <td>{postcode}</td>
          <td>{telephone}</td>
          <td>
            <a href={`/customer/address/edit/id/${id}/`}>Edit</a>
            <form method="post" action={`/customer/address/delete/id/${id}/`}>
              <button type="submit" class="plain">
                Delete
              </button>
            </form>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

function editPage(context: ShopContext, customer: Customer, address: Address | undefined) {
  const { firstName, lastName, billing, shipping } = customer;
  const kinds = [
    ["billing", "Use as my default billing address", billing],
    ["shipping", "Use as my default shipping address", shipping],
  ] as const;
  return accountPage(
    context,
    address ? "Edit Address" : "Add New Address",
    <form class="fields" method="post" action={`/customer/address/formPost/${address ? `id/${address.id}/` : ""}`}>
      <AddressFields place={address ?? { firstName, lastName }} />
      {kinds.map(([kind, label, id]) =>
        address && address.id === id ? (
          <p>It's a default {kind} address.</p>
        ) : (
          <p>
            <label>
              <input type="checkbox" name={`default_${kind}`} value="1" /> {label}
            </label>
          </p>
        ),
      )}
      <button type="submit">Save Address</button>
    </form>,
  );
}

addressPages.get(
  "/customer/address/new",
  forCustomer((context, customer) => editPage(context, customer, undefined)),
);

addressPages.get(
  "/customer/address/edit/id/:id",
  forCustomer((context, customer) => {
    const address = own(context, customer).find(({ id }) => `${id}` === context.req.param("id"));
    return address ? editPage(context, customer, address) : notFound(context);
  }),
);

addressPages.post("/customer/address/formPost", forCustomer(save));
addressPages.post("/customer/address/formPost/id/:id", forCustomer(save));

async function save(context: ShopContext, customer: Customer): Promise<Response> {
  const { shop } = context.env;
  const text = context.req.param("id");
  const known = text === undefined ? undefined : own(context, customer).find(({ id }) => `${id}` === text);
  if (text !== undefined && !known) return notFound(context);
  const fields = await fieldsOf(context);
  const place = readPlace(fields);
  if (Array.isArray(place))
    return redirect(context, `/customer/address/${known ? `edit/id/${known.id}` : "new"}/`, lacks(place), "error");
  const { id } = known
    ? shop.addresses.update(known.id, place)
    : shop.addresses.insert({ ...place, customer: customer.id });
  const isFirst = own(context, customer).length === 1;
  shop.customers.update(customer.id, {
    ...(fields.default_billing === "1" || isFirst ? { billing: id } : {}),
    ...(fields.default_shipping === "1" || isFirst ? { shipping: id } : {}),
  });
  return redirect(context, "/customer/address/", "You saved the address.");
}

addressPages.post(
  "/customer/address/delete/id/:id",
  forCustomer((context, customer) => {
    const { shop } = context.env;
    const address = own(context, customer).find(({ id }) => `${id}` === context.req.param("id"));
    if (!address || address.id === customer.billing || address.id === customer.shipping) return notFound(context);
    shop.addresses.remove(address.id);
    return redirect(context, "/customer/address/", "You deleted the address.");
  }),
);
