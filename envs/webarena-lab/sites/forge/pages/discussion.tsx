/** Components shared by issues and merge requests: comments, the sidebar, and the form fields. */
import type { FC, PropsWithChildren } from "hono/jsx";
import { now } from "../../../clock.js";
import { hasRole, membersOf } from "../access.js";
import { shownDay } from "../dates.js";
import { type Discussed, notesOf } from "../discussed.js";
import { Markdown } from "../markdown.js";
import { Area, Avatar, Field, LabelPill, Select, Time, UserLink } from "../parts.js";
import { formOf, type OwnProjectVisit, type ProjectVisit, valuesOf } from "../visit.js";

export const Notes: FC<{ visit: ProjectVisit; row: Discussed; action: string }> = ({ visit, row, action }) => {
  const { forge, user } = visit;
  return (
    <section class="discussion" aria-label="Activity">
      <h2>Activity</h2>
      <ul id="notes-list">
        {notesOf(forge, row).map((note) => {
          const author = forge.users.need(note.author);
          return (
            <li class={note.isSystem ? "note system" : "note"}>
              <Avatar user={author} />
              <div class="grow">
                <p class="muted">
                  <UserLink user={author} /> {`@${author.username} · `}
                  {note.isSystem && <strong>{`${note.body} · `}</strong>}
                  <Time at={note.created} isExact />
                </p>
                {!note.isSystem && (
                  <div class="timeline-discussion-body">
                    <Markdown text={note.body} />
                  </div>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {user ? (
        <form method="post" action={`${action}/notes`} class="card wide">
          <Area name="note[note]" label="Comment" rows={4} />
          <button type="submit" class="primary" data-testid="comment-button">
            Comment
          </button>
        </form>
      ) : (
        <p>
          Please <a href="/users/sign_in">sign in</a> to comment.
        </p>
      )}
    </section>
  );
};

const Block: FC<PropsWithChildren<{ name: string; title: string; edit: string | undefined; testId?: string }>> = (
  facts,
) => {
  const { name, title, edit, testId, children } = facts;
  return (
    <div class={`block ${name}`} data-testid={testId}>
      <h3>{title}</h3>
      {edit && (
        <a class="edit" href={edit} aria-label={`Edit ${title.toLowerCase()}`}>
          Edit
        </a>
      )}
      <div class="value">{children}</div>
    </div>
  );
};

/** @param edit address of the form, or undefined if the visitor may not make changes */
export const Sidebar: FC<{ visit: ProjectVisit; row: Discussed; base: string; edit: string | undefined }> = (facts) => {
  const { visit, row, base, edit } = facts;
  const { forge } = visit;
  const people = (ids: readonly number[]) =>
    ids.length === 0
      ? "None"
      : ids.map((id) => (
          <p>
            <Avatar user={forge.users.need(id)} /> <UserLink user={forge.users.get(id)} />{" "}
            {`@${forge.users.need(id).username}`}
          </p>
        ));
  const milestone = forge.milestones.get(row.milestone);
  return (
    <aside class="sidebar" aria-label="Details">
      <Block name="assignee" title="Assignee" edit={edit}>
        {people(row.assignees)}
      </Block>
      {"reviewers" in row && (
        <Block name="reviewer" title="Reviewer" edit={edit}>
          {people(row.reviewers)}
        </Block>
      )}
      <Block name="labels" title="Labels" edit={edit}>
        {row.labels.length === 0
          ? "None"
          : row.labels.map((id) => {
              const label = forge.labels.get(id);
              return label && <LabelPill label={label} href={`${base}/`} />;
            })}
      </Block>
      <Block name="milestone" title="Milestone" edit={edit}>
        {milestone ? milestone.title : "None"}
      </Block>
      {"due" in row && (
        <Block name="due-date" title="Due date" edit={edit} testId="sidebar-due-date">
          {row.due ? shownDay(row.due) : "None"}
        </Block>
      )}
    </aside>
  );
};

export interface Draft {
  title: string;
  body: string;
  assignee: number;
  reviewer: number;
  labels: readonly number[];
  milestone: number;
  /** Due day as entered. */
  due: string;
}

export const emptyDraft: Draft = { title: "", body: "", assignee: 0, reviewer: 0, labels: [], milestone: 0, due: "" };

interface DraftFacts {
  visit: OwnProjectVisit;
  draft: Draft;
  /** Name of the record in field names. */
  record: "issue" | "merge_request";
}

export const DraftFields: FC<DraftFacts> = ({ visit, draft, record }) => {
  const { forge, project, user } = visit;
  const isReporter = hasRole(forge, project, user, "Reporter");
  return (
    <>
      <Field name={`${record}[title]`} label="Title (required)" value={draft.title} />
      <Area name={`${record}[description]`} label="Description" value={draft.body} rows={5} />
      {(isReporter || record === "merge_request") && <PlanFields visit={visit} draft={draft} record={record} />}
    </>
  );
};

const PlanFields: FC<DraftFacts> = ({ visit: { forge, project }, draft, record }) => {
  const people = membersOf(forge, project)
    .map((member) => forge.users.need(member.user))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ id, name }) => ({ value: `${id}`, text: name }));
  const milestones = forge.milestones
    .filter((one) => one.project === project.id)
    .map(({ id, title }) => ({ value: `${id}`, text: title }));
  const labels = forge.labels.filter((one) => one.project === project.id);
  return (
    <>
      <Select
        name={`${record}[assignee_ids][]`}
        label="Assignee"
        choices={[{ value: "0", text: "Unassigned" }, ...people]}
        value={`${draft.assignee}`}
      />
      {record === "merge_request" && (
        <Select
          name="merge_request[reviewer_ids][]"
          label="Reviewer"
          choices={[{ value: "0", text: "Unassigned" }, ...people]}
          value={`${draft.reviewer}`}
        />
      )}
      <Select
        name={`${record}[milestone_id]`}
        label="Milestone"
        choices={[{ value: "0", text: "No milestone" }, ...milestones]}
        value={`${draft.milestone}`}
      />
      <fieldset class="label-choice">
        <legend>Labels</legend>
        {labels.map(({ id, name }) => (
          <label class="check">
            <input
              type="checkbox"
              name={`${record}[label_ids][]`}
              value={`${id}`}
              checked={draft.labels.includes(id)}
            />{" "}
            {name}
          </label>
        ))}
      </fieldset>
      {record === "issue" && (
        <Field name="issue[due_date]" label="Due date" value={draft.due} placeholder="YYYY-MM-DD" />
      )}
    </>
  );
};

export async function draftFrom(visit: OwnProjectVisit, record: "issue" | "merge_request"): Promise<Draft> {
  const { forge, project, user } = visit;
  const field = await formOf(visit);
  const draft = { ...emptyDraft, title: field(`${record}[title]`), body: field(`${record}[description]`) };
  if (!hasRole(forge, project, user, "Reporter")) return draft;
  const members = membersOf(forge, project);
  const person = (name: string) => members.find((one) => one.user === Number(field(name)))?.user ?? 0;
  const labels = (await valuesOf(visit, `${record}[label_ids][]`)).map(Number);
  return {
    ...draft,
    assignee: person(`${record}[assignee_ids][]`),
    reviewer: person("merge_request[reviewer_ids][]"),
    milestone:
      forge.milestones.find((one) => one.project === project.id && one.id === Number(field(`${record}[milestone_id]`)))
        ?.id ?? 0,
    labels: labels.filter((id) => forge.labels.get(id)?.project === project.id),
    due: field("issue[due_date]"),
  };
}

/** Adds a comment unless it is blank. */
export async function comment(visit: OwnProjectVisit, row: Discussed): Promise<void> {
  const body = (await formOf(visit))("note[note]");
  if (body !== "") addNote(visit, row, body, false);
}

export function addNote({ forge, user }: OwnProjectVisit, row: Discussed, body: string, isSystem: boolean): void {
  const place = "source" in row ? { issue: 0, merge: row.id } : { issue: row.id, merge: 0 };
  forge.notes.insert({ ...place, author: user.id, body, created: now, isSystem });
  if ("source" in row) forge.merges.update(row.id, { updated: now });
  else forge.issues.update(row.id, { updated: now });
}
