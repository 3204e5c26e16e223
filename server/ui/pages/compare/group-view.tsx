/** The caller's episodes of one task: a table with their returns, and the tree of their actions. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { counted, shortNumber } from "../../numbers.js";
import { Failure } from "../../parts/loaded.js";
import { OutcomeBadge } from "../../parts/outcome.js";
import { Inline } from "../../parts/text.js";
import { goTo, linkTo } from "../../route.js";
import { Group, type Member, mostMembers, mostSteps } from "./group.js";
import { advantagesOf, counterpartOf, isOver, meanOf, treesOf } from "./tree.js";
import { TreeView } from "./tree-view.js";

interface Props {
  environment: string;
  split: string;
  task: number;
  /** Episode that is chosen for a comparison. */
  left: string | null;
}

export function GroupView({ environment, split, task, left }: Props) {
  const group = useMemo(() => new Group({ environment, split, task }), []);
  useEffect(() => {
    group.load();
    return () => group.stop();
  }, [group]);
  const { members, isLoading, hasMore, error } = group;
  const isCut = members.value.some((member) => member.isCut);
  return (
    <section class="page group">
      <h1>
        <a href={linkTo(["environments", environment], { split })}>
          <Inline text={environment} most={120} />
        </a>{" "}
        <Inline text={split} most={200} /> {task}
      </h1>
      <p class="quiet" role="status">
        {isLoading.value ? "Loading… " : ""}
        {counted(members.value.length, "episode")}, mean return {shortNumber(meanOf(members.value))}
        {members.value.some((member) => !isOver(member)) &&
          ` of the ${members.value.filter(isOver).length} that are over`}
        {hasMore.value && `, the newest ${mostMembers} of more`}
        {isCut && `, the first ${mostSteps} steps of each`}
      </p>
      {error.value !== null && <Failure error={error.value} />}
      {members.value.length > 0 && (
        <>
          <MemberTable members={members.value} left={left} />
          <h2>Where they part</h2>
          <TreeView trees={treesOf(members.value)} />
        </>
      )}
    </section>
  );
}

/** Rows that are shown at first. */
const fewMembers = 16;

function MemberTable({ members, left }: { members: readonly Member[]; left: string | null }) {
  const isWhole = useSignal(false);
  const first = useSignal(left ?? "");
  const chosen = useSignal("");
  const second = chosen.value || (counterpartOf(members, first.value) ?? "");
  const canCompare = first.value !== "" && second !== "" && first.value !== second;
  const advantages = useMemo(() => advantagesOf(members), [members]);
  const isChosen = ({ summary: { episodeId } }: Member) => [first.value, second].includes(episodeId);
  const shown = isWhole.value ? members : members.filter((member, i) => i < fewMembers || isChosen(member));
  return (
    <>
      <section class="scroller" aria-label="Episodes of the task">
        <table>
          <thead>
            <tr>
              <th scope="col">left</th>
              <th scope="col">right</th>
              <th scope="col">episode</th>
              <th scope="col">outcome</th>
              <th scope="col" class="number">
                steps
              </th>
              <th scope="col" class="number">
                return
              </th>
              <th
                scope="col"
                class="number"
                title="Return minus the mean, in standard deviations, among the ended episodes with the same seed and options"
              >
                advantage
              </th>
              <th scope="col">seed</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((member) => (
              <MemberRow
                key={member.summary.episodeId}
                member={member}
                advantage={advantages.get(member)}
                sides={[first.value, second]}
                onChoose={(side, episodeId) => {
                  (side === 0 ? first : chosen).value = episodeId;
                }}
              />
            ))}
          </tbody>
        </table>
      </section>
      {shown.length < members.length && (
        <p>
          <button
            type="button"
            onClick={() => {
              isWhole.value = true;
            }}
          >
            Show all {members.length} episodes
          </button>
        </p>
      )}
      <p>
        <button
          type="button"
          disabled={!canCompare}
          onClick={() => goTo(linkTo(["compare"], { left: first.value, right: second }))}
        >
          Compare side by side
        </button>
      </p>
    </>
  );
}

interface MemberRowProps {
  member: Member;
  /** Undefined while the episode runs. */
  advantage: number | undefined;
  /** Ids of the episodes that are chosen as left and as right. */
  sides: readonly [string, string];
  onChoose: (side: 0 | 1, episodeId: string) => void;
}

function MemberRow({ member: { summary, total }, advantage, sides, onChoose }: MemberRowProps) {
  const { episodeId, state, seed } = summary;
  return (
    <tr>
      {sides.map((side, i) => (
        <td key={i}>
          <input
            type="radio"
            name={i === 0 ? "left" : "right"}
            aria-label={`${episodeId} ${i === 0 ? "left" : "right"}`}
            checked={side === episodeId}
            onChange={() => onChoose(i as 0 | 1, episodeId)}
          />
        </td>
      ))}
      <td>
        <a class="id" href={linkTo(["episodes", episodeId])}>
          {episodeId}
        </a>
      </td>
      <td>{state && <OutcomeBadge outcome={state.outcome} />}</td>
      <td class="number">{state?.index}</td>
      <td class="number">{shortNumber(total)}</td>
      <td class="number">{advantage === undefined ? "–" : advantage.toFixed(2)}</td>
      <td>{seed}</td>
    </tr>
  );
}
