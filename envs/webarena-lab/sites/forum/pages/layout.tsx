/** The frame of every page. */
import type { Child, FC, PropsWithChildren } from "hono/jsx";
import { Document } from "../../document.js";
import type { Visit } from "../visit.js";

const Logo: FC = () => (
  <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <rect width="32" height="32" rx="9" fill="#e85d2f" />
    <path d="M7 10.5h18v10H14.5L9.5 25v-4.500H7z" fill="#fff" />
    <circle cx="12" cy="15.500" r="1.600" fill="#e85d2f" />
    <circle cx="16" cy="15.500" r="1.600" fill="#e85d2f" />
    <circle cx="20" cy="15.500" r="1.600" fill="#e85d2f" />
  </svg>
);

const Account: FC<{ visit: Visit }> = ({ visit: { tables, visitor, address } }) => {
  if (!visitor)
    return (
      <nav class="site-account" aria-label="Account">
        <a href={`/login?from=${encodeURIComponent(address)}`}>Log in</a>
        <a href="/registration">Sign up</a>
      </nav>
    );
  const unread = tables.notifications.where("user", visitor.id).length;
  return (
    <nav class="site-account" aria-label="Account">
      <a href="/submit" class="site-submit">
        Submit
      </a>
      <a href="/notifications">Notifications ({unread})</a>
      <a href="/messages">Messages</a>
      <a href={`/user/${visitor.name}`}>{visitor.name}</a>
      <form action="/logout" method="post">
        <button type="submit" class="link-button">
          Log out
        </button>
      </form>
    </nav>
  );
};

export interface PageProps {
  visit: Visit;
  title: string;
  /** Sections of the sidebar. */
  sidebar?: Child;
  /** Search query. */
  query?: string;
}

export const Page: FC<PropsWithChildren<PageProps>> = ({ visit, title, sidebar, query = "", children }) => (
  <Document site="forum" title={title}>
    <header class="site-header">
      <a class="site-brand" href="/" aria-label="Home">
        <Logo />
        <span>Quayside</span>
      </a>
      <nav aria-label="Site">
        <a href="/forums">Forums</a>
      </nav>
      <form class="site-search" action="/search">
        <input type="search" name="q" aria-label="Search query" placeholder="Search" value={query} />
        <button type="submit">Search</button>
      </form>
      <Account visit={visit} />
    </header>
    <div class="site-content">
      <main>{children}</main>
      {sidebar && (
        <aside id="sidebar" aria-label="Sidebar">
          {sidebar}
        </aside>
      )}
    </div>
    <footer class="site-footer">Quayside, forums for Haldane and everywhere else.</footer>
  </Document>
);

/** Row of tabs. One tab is the current page. */
export const Tabs: FC<{ label: string; links: readonly { text: string; href: string; isHere: boolean }[] }> = ({
  label,
  links,
}) => (
  <nav class="tabs" aria-label={label}>
    <ul>
      {links.map(({ text, href, isHere }) => (
        <li>
          <a href={href} {...(isHere ? { "aria-current": "page" as const } : {})}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

/** List of the reasons why a form was refused. */
export const Errors: FC<{ errors: readonly string[] }> = ({ errors }) =>
  errors.length === 0 ? null : (
    <div class="errors" role="alert">
      <ul>
        {errors.map((error) => (
          <li>{error}</li>
        ))}
      </ul>
    </div>
  );
