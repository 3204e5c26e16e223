/** The keys of the present page. */
import { place } from "../../route.js";

type Keys = Readonly<Record<string, string>>;

const everywhere: Keys = {
  "Ctrl K": "find pages, environments, runs, episodes and tasks",
  "?": "list these keys",
};

const ofEpisode: Keys = {
  "j ↓ →": "next step",
  "k ↑ ←": "previous step",
  "Home End": "first and last step",
  "/": "search the episode",
  "n N": "next and previous match",
  "↑ ↓": "earlier and later actions, in the action field",
};

const ofComparison: Keys = {
  "↑ ↓ ← →": "move in the tree, fold and unfold",
  Enter: "open the episode at the step",
};

const ofJudging: Keys = {
  "1": "left is better",
  "2": "right is better",
  "3": "equally good",
  "4": "both bad",
  n: "next pair",
};

export function KeyList() {
  const [page, name] = place.value.path;
  const own =
    page === "episodes" && name ? ofEpisode : page === "compare" ? ofComparison : page === "judge" ? ofJudging : {};
  return (
    <>
      {Object.keys(own).length > 0 && <KeyTable title="Keys of this page" keys={own} />}
      <KeyTable title="Keys of every page" keys={everywhere} />
    </>
  );
}

function KeyTable({ title, keys }: { title: string; keys: Keys }) {
  return (
    <>
      <h2>{title}</h2>
      <table aria-label={title}>
        <tbody>
          {Object.entries(keys).map(([names, effect]) => (
            <tr key={names}>
              <th scope="row">
                {(names === "Ctrl K" ? [names] : names.split(" ")).map((name) => (
                  <span key={name}>
                    <kbd>{name}</kbd>{" "}
                  </span>
                ))}
              </th>
              <td>{effect}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
