/** The tree of a group's actions. The arrow keys move in it, and Enter opens an episode at the step. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { counted, shortNumber } from "../../numbers.js";
import { readableLine } from "../../parts/visible-text.js";
import { goTo, linkTo } from "../../route.js";
import type { Member } from "./group.js";
import { type Branch, meanOf } from "./tree.js";

interface Row {
  branch: Branch;
  level: number;
  parent: string | null;
}

export function TreeView({ trees }: { trees: readonly Branch[] }) {
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const focused = useSignal<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const rows = trees.flatMap((tree) => rowsOf(tree, 1, null, closed.value));
  const at = Math.max(
    0,
    rows.findIndex(({ branch }) => branch.id === focused.value),
  );
  const focus = (index: number) => {
    const row = rows[Math.min(Math.max(0, index), rows.length - 1)];
    if (!row) return;
    focused.value = row.branch.id;
    box.current?.querySelectorAll<HTMLElement>("[role=treeitem]")[rows.indexOf(row)]?.focus();
  };
  const setClosed = (id: string, isClosed: boolean) => {
    const next = new Set(closed.value);
    if (isClosed) next.add(id);
    else next.delete(id);
    closed.value = next;
  };
  return (
    <div class="tree" role="tree" aria-label="Actions of the episodes" ref={box}>
      {rows.map((row, i) => (
        <TreeRow
          key={row.branch.id}
          row={row}
          isFocused={i === at}
          isClosed={closed.value.has(row.branch.id)}
          onFocus={() => {
            focused.value = row.branch.id;
          }}
          onKey={(event) => moveBy(event, { rows, at: i, closed: closed.value, focus, setClosed })}
          onToggle={() => {
            focused.value = row.branch.id;
            setClosed(row.branch.id, !closed.value.has(row.branch.id));
          }}
        />
      ))}
    </div>
  );
}

interface Movement {
  rows: readonly Row[];
  /** Row with the focus. */
  at: number;
  closed: ReadonlySet<string>;
  focus: (index: number) => void;
  setClosed: (id: string, isClosed: boolean) => void;
}

/** The keys of a tree (WAI-ARIA authoring practices). */
function moveBy(event: KeyboardEvent, { rows, at, closed, focus, setClosed }: Movement): void {
  const { branch, parent } = rows[at] as Row;
  const isOpen = branch.children.length > 0 && !closed.has(branch.id);
  const acts: Record<string, () => void> = {
    ArrowDown: () => focus(at + 1),
    ArrowUp: () => focus(at - 1),
    Home: () => focus(0),
    End: () => focus(rows.length - 1),
    ArrowRight: () => (isOpen ? focus(at + 1) : setClosed(branch.id, false)),
    ArrowLeft: () => (isOpen ? setClosed(branch.id, true) : focus(rows.findIndex((row) => row.branch.id === parent))),
    Enter: () => goTo(linkOf(branch)),
  };
  const act = acts[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
}

function rowsOf(branch: Branch, level: number, parent: string | null, closed: ReadonlySet<string>): Row[] {
  const row = { branch, level, parent };
  if (closed.has(branch.id)) return [row];
  return [row, ...branch.children.flatMap((child) => rowsOf(child, level + 1, branch.id, closed))];
}

interface TreeRowProps {
  row: Row;
  isFocused: boolean;
  isClosed: boolean;
  onFocus: () => void;
  onKey: (event: KeyboardEvent) => void;
  onToggle: () => void;
}

function TreeRow({ row: { branch, level }, isFocused, isClosed, onFocus, onKey, onToggle }: TreeRowProps) {
  const { label, actions, members, ended, children } = branch;
  const isParent = children.length > 0;
  const rest = label === null ? actions.length - 1 : actions.length;
  return (
    <div
      role="treeitem"
      class="branch"
      aria-level={level}
      aria-expanded={isParent ? !isClosed : undefined}
      tabIndex={isFocused ? 0 : -1}
      style={{ paddingInlineStart: `${Math.min(level - 1, 24) * 1.1 + 0.4}rem` }}
      onClick={() => goTo(linkOf(branch))}
      onFocus={onFocus}
      onKeyDown={onKey}
    >
      {isParent ? (
        <span
          class="fold"
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          {isClosed ? "▸" : "▾"}
        </span>
      ) : (
        <span class="fold" />
      )}
      <span class="quiet number">{branch.from + (label === null ? 1 : 0)}</span>
      <bdi class={label === null ? "action" : ""} dir="ltr">
        {readableLine(label ?? actions[0] ?? "", 160) || "(empty)"}
      </bdi>
      <span class="quiet">{rest > 0 && `+${rest} alike`}</span>
      <span class="quiet">{members.length > 1 ? `${members.length} episodes` : endOf(ended[0])}</span>
      <span class="return">{shortNumber(meanOf(members))}</span>
    </div>
  );
}

function endOf(member: Member | undefined): string {
  if (!member) return "";
  const { phase } = member.summary.state ?? {};
  return `${phase ?? "over"} after ${counted(member.summary.state?.index ?? member.steps.length, "step")}`;
}

/** Link to the first step of a branch in one of its episodes. */
function linkOf({ members, from, label }: Branch): string {
  const id = (members[0] as Member).summary.episodeId;
  return linkTo(["episodes", id], { step: label === null ? from + 1 : 0 });
}
