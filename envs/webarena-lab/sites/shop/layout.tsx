/** The frame of the shop's pages, and shared components. */
import type { FC, PropsWithChildren } from "hono/jsx";
import { Document } from "../document.js";
import { categoryUrl, childrenOf } from "./catalogue/catalog.js";
import { cartOf } from "./checkout/cart.js";
import type { Category, Place } from "./records.js";
import type { ShopTables } from "./tables.js";
import { type Notice, type ShopContext, takeNotice, type Visitor, visitorOf } from "./visitor.js";

export const storeName = "Portside Market";

interface PageProps {
  title: string;
  visitor: Visitor;
  notice: Notice | undefined;
  /** Search query. */
  query: string;
}

/** Responds with a page in the frame of the shop. */
export function page(
  context: ShopContext,
  title: string,
  content: unknown,
  { status = 200, notice }: { status?: 200 | 400 | 404; notice?: Notice } = {},
): Response | Promise<Response> {
  const told = takeNotice(context) ?? notice;
  const query = context.req.path.startsWith("/catalogsearch/result") ? (context.req.query("q") ?? "") : "";
  const frame = (
    <Frame title={title} visitor={visitorOf(context)} notice={told} query={query}>
      {content as string}
    </Frame>
  );
  return context.html(frame, status);
}

const Frame: FC<PropsWithChildren<PageProps>> = ({ title, visitor, notice, query, children }) => (
  <Document site="shop" title={title}>
    <Header visitor={visitor} query={query} />
    <Navigation shop={visitor.shop} />
    <main id="maincontent">
      {notice && (
        <div class={`message ${notice.kind}`} role="alert">
          {notice.text}
        </div>
      )}
      {children}
    </main>
    <Footer />
  </Document>
);

const Header: FC<{ visitor: Visitor; query: string }> = ({ visitor, query }) => {
  const { shop, customer, session } = visitor;
  const count = cartOf(shop, session)?.lines.reduce((sum, { qty }) => sum + qty, 0) ?? 0;
  const wishes = customer ? shop.wishes.filter((wish) => wish.customer === customer.id).length : 0;
  return (
    <header>
      <div class="panel">
        <span>{customer ? `Welcome, ${customer.firstName} ${customer.lastName}!` : `Welcome to ${storeName}`}</span>
        <a href="/customer/account/">My Account</a>
        <a href="/wishlist/">My Wish List{wishes > 0 && ` (${wishes} ${wishes === 1 ? "item" : "items"})`}</a>
        {customer ? (
          <a href="/customer/account/logout/">Sign Out</a>
        ) : (
          <>
            <a href="/customer/account/login/">Sign In</a>
            <a href="/customer/account/create/">Create an Account</a>
          </>
        )}
      </div>
      <div class="bar">
        <a class="logo" href="/">
          {storeName}
        </a>
        <form class="search" action="/catalogsearch/result/">
          <input name="q" aria-label="Search" placeholder="Search entire store here..." value={query} maxlength={128} />
          <button type="submit">Search</button>
          <a href="/catalogsearch/advanced/">Advanced Search</a>
        </form>
        <a class="minicart" href="/checkout/cart/">
          My Cart {count > 0 && <b>{count}</b>}
        </a>
      </div>
    </header>
  );
};

const Navigation: FC<{ shop: ShopTables }> = ({ shop }) => (
  <nav class="departments" aria-label="Departments">
    <ul>
      {childrenOf(shop, null).map((department) => (
        <li>
          <a href={categoryUrl(department)}>{department.name}</a>
          <ul>
            <Branches shop={shop} parent={department} />
          </ul>
        </li>
      ))}
    </ul>
  </nav>
);

const Branches: FC<{ shop: ShopTables; parent: Category }> = ({ shop, parent }) => (
  <>
    {childrenOf(shop, parent.id).flatMap((child) => [
      <li>
        <a href={categoryUrl(child)}>{child.name}</a>
      </li>,
      ...childrenOf(shop, child.id).map((leaf) => (
        <li class="leaf">
          <a href={categoryUrl(leaf)}>{leaf.name}</a>
        </li>
      )),
    ])}
  </>
);

const Footer: FC = () => (
  <footer>
    <ul>
      <li>
        <a href="/about-us">About Us</a>
      </li>
      <li>
        <a href="/customer-service">Customer Service</a>
      </li>
      <li>
        <a href="/shipping">Shipping and Delivery</a>
      </li>
      <li>
        <a href="/returns">Returns</a>
      </li>
      <li>
        <a href="/privacy-policy-cookie-restriction-mode">Privacy Policy</a>
      </li>
      <li>
        <a href="/search/term/popular/">Search Terms</a>
      </li>
      <li>
        <a href="/sales/guest/form/">Orders and Returns</a>
      </li>
      <li>
        <a href="/contact/">Contact Us</a>
      </li>
    </ul>
    <form method="post" action="/newsletter/subscriber/new/">
      <label for="newsletter">Sign Up for Our Newsletter:</label>
      <input id="newsletter" name="email" type="email" placeholder="Enter your email address" />
      <button type="submit">Subscribe</button>
    </form>
    <small>© 2024 {storeName}. All prices in Haldane dollars.</small>
  </footer>
);

export const Breadcrumbs: FC<{ line: readonly Category[]; last: string }> = ({ line, last }) => (
  <nav class="breadcrumbs" aria-label="Breadcrumbs">
    <a href="/">Home</a>
    {line.map((category) => (
      <>
        <span aria-hidden="true">›</span>
        <a href={categoryUrl(category)}>{category.name}</a>
      </>
    ))}
    <span aria-hidden="true">›</span>
    <span>{last}</span>
  </nav>
);

/** Links to the other pages of a list. */
export const Pager: FC<{ page: number; pages: number; link: (page: number) => string }> = ({
  page: at,
  pages,
  link,
}) => {
  if (pages <= 1) return null;
  const first = Math.max(1, Math.min(at - 2, pages - 4));
  const near = Array.from({ length: Math.min(5, pages) }, (_, index) => first + index);
  return (
    <nav class="pages" aria-label="Pages">
      {at > 1 && <a href={link(at - 1)}>Previous</a>}
      {near.map((one) =>
        one === at ? (
          <strong>You're currently reading page {one}</strong>
        ) : (
          <a href={link(one)} aria-label={`Page ${one}`}>
            {one}
          </a>
        ),
      )}
      {at < pages && <a href={link(at + 1)}>Next</a>}
    </nav>
  );
};

export const AddressLines: FC<{ place: Place }> = ({ place }) => (
  <address>
    {place.firstName} {place.lastName}
    <br />
    {place.company && (
      <>
        {place.company}
        <br />
      </>
    )}
    {place.street.filter(Boolean).map((line) => (
      <>
        {line}
        <br />
      </>
    ))}
    {place.city}, {place.region}, {place.postcode}
    <br />
    {place.country}
    <br />
    T: {place.telephone}
  </address>
);

export function notFound(context: ShopContext): Response | Promise<Response> {
  const told = context.env.shop.pages.find(({ urlKey }) => urlKey === "no-route");
  return page(
    context,
    told?.title ?? "404 Not Found",
    <>
      <h1>Whoops, our bad...</h1>
      <p>{told?.content}</p>
    </>,
    { status: 404 },
  );
}
