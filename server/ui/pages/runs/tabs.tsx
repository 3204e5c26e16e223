/** The tabs of a run, as links. */
import { linkTo } from "../../route.js";

export function Tabs({ path, tabs, open }: { path: readonly string[]; tabs: readonly string[]; open: string }) {
  return (
    <nav class="tabs" aria-label="Parts of the run">
      {tabs.map((tab, index) => (
        <a
          key={tab}
          href={linkTo(index === 0 ? path : [...path, tab.toLowerCase()])}
          aria-current={open === tab.toLowerCase() ? "page" : undefined}
        >
          {tab}
        </a>
      ))}
    </nav>
  );
}
