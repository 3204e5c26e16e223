/** Small components of pages. */
import type { FC, PropsWithChildren } from "hono/jsx";
import { shownDay, shownTime } from "./dates.js";
import type { Label, Project, User, Visibility } from "./records.js";

export const Logo: FC = () => (
  <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
    <path fill="#e24329" d="M4 20h18l6-6h-7V9H9a7 7 0 0 0 5 7v4z" />
    <path fill="#fca326" d="M10 22h12l3 6H7z" />
  </svg>
);

export const Avatar: FC<{ user: Pick<User, "id" | "name">; size?: string }> = ({ user, size = "s24" }) => (
  <span class={`avatar ${size} tone-${user.id % 8}`} aria-hidden="true">
    {user.name
      .split(" ")
      .map((word) => word.charAt(0))
      .join("")
      .slice(0, 2)}
  </span>
);

export const UserLink: FC<{ user: User | undefined }> = ({ user }) =>
  user ? <a href={`/${user.username}`}>{user.name}</a> : <span>Deleted user</span>;

export const Time: FC<{ at: number; isExact?: boolean }> = ({ at, isExact = false }) => (
  <time datetime={new Date(at).toISOString()}>{isExact ? shownTime(at) : shownDay(at)}</time>
);

export const LabelPill: FC<{ label: Label; href: string }> = ({ label, href }) => (
  <a class="label" href={`${href}?label_name%5B%5D=${encodeURIComponent(label.name)}`} style={`--tone: ${label.color}`}>
    {label.name}
  </a>
);

const visibilityTexts: Readonly<Record<Visibility, string>> = {
  private: "Private - Project access must be granted explicitly to each user.",
  internal: "Internal - The project can be accessed by any logged in user.",
  public: "Public - The project can be accessed without any authentication.",
};

export const VisibilityIcon: FC<{ project: Project }> = ({ project: { visibility } }) => (
  <span class="visibility-icon" role="img" aria-label={visibilityTexts[visibility]} title={visibilityTexts[visibility]}>
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      {visibility === "public" ? (
        <path
          fill="none"
          stroke="currentColor"
          stroke-width="1.4"
          d="M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM1.5 8h13M8 1.5c4 4 4 9 0 13-4-4-4-9 0-13"
        />
      ) : (
        <path fill="currentColor" d="M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z" />
      )}
    </svg>
  </span>
);

export interface Choice {
  value: string;
  text: string;
}

export const Select: FC<{ name: string; label: string; choices: readonly Choice[]; value?: string | undefined }> = ({
  name,
  label,
  choices,
  value = "",
}) => {
  const id = name.replace(/\W+/g, "_");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name}>
        {choices.map((choice) => (
          <option value={choice.value} selected={choice.value === value}>
            {choice.text}
          </option>
        ))}
      </select>
    </div>
  );
};

interface FieldFacts {
  name: string;
  label: string;
  value?: string | undefined;
  type?: "text" | "password" | "date" | "url" | "email";
  testId?: string;
  placeholder?: string;
}

export const Field: FC<FieldFacts> = ({ name, label, value = "", type = "text", testId, placeholder }) => {
  const id = name.replace(/\W+/g, "_");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} name={name} type={type} value={value} data-testid={testId} placeholder={placeholder} />
    </div>
  );
};

export const Area: FC<{ name: string; label: string; value?: string | undefined; rows?: number; isCode?: boolean }> = ({
  name,
  label,
  value = "",
  rows = 6,
  isCode = false,
}) => {
  const id = name.replace(/\W+/g, "_");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {/* A browser drops the first line break of a text area. */}
      <textarea id={id} name={name} rows={rows} class={isCode ? "code" : ""}>
        {`\n${value}`}
      </textarea>
    </div>
  );
};

/** A tab of a page, or a state of a list. */
export const Tab: FC<PropsWithChildren<{ href: string; isActive: boolean; count?: number }>> = ({
  href,
  isActive,
  count,
  children,
}) => (
  <li class={isActive ? "active" : ""}>
    <a href={href} aria-current={isActive ? "page" : undefined}>
      {children}
      {count !== undefined && <span class="badge">{count}</span>}
    </a>
  </li>
);

/** @param to function that returns the address of a page by the page's number, from 1 */
export const Pager: FC<{ at: number; pages: number; to: (at: number) => string }> = ({ at, pages, to }) => {
  if (pages <= 1) return null;
  const numbers = Array.from({ length: pages }, (_, index) => index + 1).filter(
    (one) => one === 1 || one === pages || Math.abs(one - at) <= 2,
  );
  return (
    <nav class="pager" aria-label="Pagination">
      {at > 1 && <a href={to(at - 1)}>Previous</a>}
      {numbers.map((one) =>
        one === at ? (
          <span aria-current="page" class="current">
            {one}
          </span>
        ) : (
          <a href={to(one)} aria-label={`Page ${one}`}>
            {one}
          </a>
        ),
      )}
      {at < pages && <a href={to(at + 1)}>Next</a>}
    </nav>
  );
};

/** Returns one page of a list, with the position of the page. */
export function paged<T>(rows: readonly T[], asked: string | undefined, size: number) {
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const at = Math.min(pages, Math.max(1, /^\d{1,6}$/.test(asked ?? "") ? Number(asked) : 1));
  return { shown: rows.slice((at - 1) * size, at * size), at, pages };
}

/** Returns an address in which some query parameters are changed. */
export function withQuery(url: string, changes: Readonly<Record<string, string>>): string {
  const { pathname, searchParams } = new URL(url);
  for (const [name, value] of Object.entries(changes)) searchParams.set(name, value);
  return `${pathname}?${searchParams}`;
}
