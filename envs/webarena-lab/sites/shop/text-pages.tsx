/** Text pages, and the contact form. */
import { Hono } from "hono";
import { now } from "../../clock.js";
import type { SiteEnv } from "../site.js";
import { page } from "./layout.js";
import { fieldsOf, redirect, visitorOf } from "./visitor.js";

export const textPages = new Hono<SiteEnv>({ strict: false });

const question = "What’s on your mind?";

textPages.on("GET", ["/contact", "/contact/index"], (context) => {
  const { customer } = visitorOf(context);
  return page(
    context,
    "Contact Us",
    <>
      <h1>Contact Us</h1>
      <form class="fields" method="post" action="/contact/index/post/">
        <h2>Write Us</h2>
        <p>Jot us a note and we'll get back to you as quickly as possible.</p>
        <p>
          <label for="name">Name</label>
          <input id="name" name="name" value={customer ? `${customer.firstName} ${customer.lastName}` : ""} />
        </p>
        <p>
          <label for="email">Email</label>
          <input id="email" name="email" type="email" value={customer?.email ?? ""} />
        </p>
        <p>
          <label for="telephone">Phone Number</label>
          <input id="telephone" name="telephone" />
        </p>
        <p>
          <label for="comment">{question}</label>
          <textarea id="comment" name="comment" title={question} rows={5} />
        </p>
        <button type="submit">Submit</button>
      </form>
    </>,
  );
});

textPages.post("/contact/index/post", async (context) => {
  const { name = "", email = "", telephone: phone = "", comment: text = "" } = await fieldsOf(context);
  const refuse = (reason: string) => redirect(context, "/contact/", reason, "error");
  if (!name) return refuse("Enter the Name and try again.");
  if (!text) return refuse("Enter the comment and try again.");
  if (!/^[^@\s]+@[^@\s]+$/.test(email))
    return refuse("The email address is invalid. Verify the email address and try again.");
  context.env.shop.messages.insert({ name, email, phone, text, at: now });
  const thanks = "Thanks for contacting us with your comments and questions. We'll respond to you very soon.";
  return redirect(context, "/contact/", thanks);
});

textPages.get("/:key{[a-z0-9-]+}", (context, next) => {
  const found = context.env.shop.pages.find(
    ({ urlKey, isEnabled }) => isEnabled && urlKey === context.req.param("key"),
  );
  if (!found) return next();
  return page(
    context,
    found.title,
    <>
      <h1>{found.title}</h1>
      <p class="prose">{found.content}</p>
    </>,
  );
});
