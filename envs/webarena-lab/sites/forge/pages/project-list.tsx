/** Lists of projects for the dashboard, the search and the profiles. */
import type { FC } from "hono/jsx";
import { ownerName, pathOf } from "../access.js";
import { rowsBy } from "../indexed.js";
import { Pager, paged, Time, VisibilityIcon, withQuery } from "../parts.js";
import type { Project } from "../records.js";
import type { Visit } from "../visit.js";

export const projectOrders = [
  { value: "latest_activity_desc", text: "Updated date" },
  { value: "stars_desc", text: "Most stars" },
  { value: "name_asc", text: "Name" },
  { value: "created_desc", text: "Last created" },
  { value: "created_asc", text: "Oldest created" },
] as const;

export function sortedProjects(projects: readonly Project[], order: string | undefined): Project[] {
  return [...projects].sort((one, other) => {
    if (order === "stars_desc") return other.stars - one.stars || one.id - other.id;
    if (order === "name_asc") return one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1;
    if (order === "created_desc") return other.created - one.created || other.id - one.id;
    if (order === "created_asc") return one.created - other.created || one.id - other.id;
    return other.updated - one.updated || other.id - one.id;
  });
}

/** Returns the projects whose names or descriptions contain all words. */
export function foundProjects(projects: readonly Project[], search: string): Project[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return projects.filter(({ namespace, name, path, description }) => {
    const text = `${namespace}/${path} ${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export const ProjectList: FC<{ visit: Visit; projects: readonly Project[] }> = ({ visit, projects }) => {
  const { forge, context } = visit;
  const { shown, at, pages } = paged(projects, context.req.query("page"), 20);
  const openOf = ({ id }: Project) =>
    rowsBy(forge, "issues", "project", id).filter(({ state }) => state === "opened").length;
  if (projects.length === 0) return <p class="empty">There are no projects here.</p>;
  return (
    <>
      <ul class="rows projects" data-qa-selector="projects_list">
        {shown.map((project) => (
          <li>
            <span class="tile" aria-hidden="true">
              {project.name.charAt(0).toUpperCase()}
            </span>
            <div class="grow">
              <h3>
                <a href={pathOf(project)}>{`${ownerName(forge, project)} / ${project.name}`}</a>{" "}
                <VisibilityIcon project={project} />
              </h3>
              <p>{project.description}</p>
            </div>
            <p class="facts">
              <span>{`${project.stars} stars`}</span>
              <span>{`${project.forks} forks`}</span>
              <span>{`${openOf(project)} open issues`}</span>
              <span>
                Updated <Time at={project.updated} />
              </span>
            </p>
          </li>
        ))}
      </ul>
      <Pager at={at} pages={pages} to={(one) => withQuery(context.req.url, { page: `${one}` })} />
    </>
  );
};
