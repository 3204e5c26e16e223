/** The app of a code forge with projects, files, commits, issues and merge requests. The addresses are those of GitLab. */
import { Hono } from "hono";
import type { SiteEnv } from "../site.js";
import { groupAt, userNamed } from "./access.js";
import { anyone, notFound } from "./answers.js";
import { addCommits } from "./pages/commits.js";
import { addDashboard } from "./pages/dashboard.js";
import { addFiles } from "./pages/files.js";
import { addIssues } from "./pages/issues.js";
import { addMembers, groupOverview } from "./pages/members.js";
import { addMergeRequest } from "./pages/merge-request.js";
import { addMergeRequests } from "./pages/merge-requests.js";
import { addNewProject } from "./pages/new-project.js";
import { addPlans } from "./pages/plans.js";
import { addProfile } from "./pages/profile.js";
import { addProject } from "./pages/project.js";
import { addSearch } from "./pages/search.js";
import { addSettings } from "./pages/settings.js";
import { addSignIn } from "./pages/sign-in.js";
import { addUser, overview } from "./pages/user.js";
import { visitOf } from "./visit.js";

export const app = new Hono<SiteEnv>({ strict: false });

// Fixed routes are added before routes that begin with the name of a user or group.
for (const add of [addSignIn, addDashboard, addSearch, addProfile, addUser, addNewProject, addMembers]) add(app);
for (const add of [
  addIssues,
  addMergeRequests,
  addMergeRequest,
  addPlans,
  addFiles,
  addCommits,
  addSettings,
  addProject,
])
  add(app);

app.get(
  "/:name",
  anyone((visit) => {
    const name = visit.context.req.param("name") ?? "";
    const user = userNamed(visit.forge, name);
    if (user) return overview(visit, user);
    const group = groupAt(visit.forge, name);
    return group ? groupOverview(visit, group) : notFound(visit);
  }),
);

app.notFound((context) => notFound(visitOf(context)));
