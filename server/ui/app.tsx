import { tokenRefusal } from "./api.js";
import { ComparePage } from "./pages/compare/page.js";
import { EnvironmentPage } from "./pages/environment.js";
import { Environments } from "./pages/environments.js";
import { EpisodePage } from "./pages/episode/page.js";
import { Episodes } from "./pages/episodes/page.js";
import { Dialogs, FindButton } from "./pages/find/dialogs.js";
import { JudgePage } from "./pages/judge/page.js";
import { Overview } from "./pages/overview/page.js";
import { RunPages } from "./pages/runs/lazy.js";
import { TokenPage } from "./pages/token/page.js";
import { ConnectionNote } from "./parts/connection-note.js";
import { Guard } from "./parts/guard.js";
import { linkTo, place } from "./route.js";
import { pages } from "./title.js";

export function App() {
  const [page = "overview", name] = place.value.path;
  return (
    <>
      <nav class="top" aria-label="Pages">
        <strong>Palestra</strong>
        {pages.map(({ path, title }) => (
          <a key={path} href={linkTo([path])} aria-current={page === path ? "page" : undefined}>
            {title}
          </a>
        ))}
        {tokenRefusal.value === null && <FindButton />}
        <ConnectionNote />
      </nav>
      <main>
        <Guard of={place.value.path.join("/")}>
          {tokenRefusal.value === null ? <Page page={page} name={name} /> : <TokenPage />}
        </Guard>
      </main>
      {tokenRefusal.value === null && <Dialogs />}
    </>
  );
}

function Page({ page, name }: { page: string; name: string | undefined }) {
  if (page === "overview") return <Overview />;
  if (page === "environments") return name === undefined ? <Environments /> : <EnvironmentPage name={name} />;
  if (page === "episodes") return name === undefined ? <Episodes /> : <EpisodePage id={name} />;
  if (page === "compare") return <ComparePage />;
  if (page === "runs") return <RunPages />;
  if (page === "judge") return <JudgePage part={name} />;
  return <p>There is no such page.</p>;
}
