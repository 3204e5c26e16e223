/** The tasks and splits. Each task is a page that generates a problem from a seed. */
import type { TaskRef, TaskSplit } from "../env.js";

/** Names of the pages that can be used as tasks, in alphabetical order. */
export const taskNames = `
ascending-numbers bisect-angle book-flight book-flight-nodelay button-delay buy-ticket
choose-date choose-date-easy choose-date-medium choose-date-nodelay choose-list circle-center
click-button click-button-sequence click-checkboxes click-checkboxes-large click-checkboxes-soft click-checkboxes-transfer
click-collapsible click-collapsible-2 click-collapsible-2-nodelay click-collapsible-nodelay click-color click-dialog
click-dialog-2 click-link click-menu click-menu-2 click-option click-pie-nodelay
click-scroll-list click-shades click-shape click-tab click-tab-2 click-tab-2-easy
click-tab-2-hard click-tab-2-medium click-test click-test-2 click-test-transfer click-widget
copy-paste copy-paste-2 count-shape count-sides daily-calendar drag-box
drag-circle drag-cube drag-items drag-items-grid drag-shapes drag-shapes-2
drag-single-shape drag-sort-numbers draw-line email-inbox email-inbox-delete email-inbox-forward
email-inbox-forward-nl email-inbox-forward-nl-turk email-inbox-important email-inbox-nl-turk email-inbox-noscroll email-inbox-reply
email-inbox-star-reply enter-date enter-password enter-text enter-text-2 enter-text-dynamic
enter-time find-greatest find-midpoint find-word focus-text focus-text-2
form-sequence form-sequence-2 form-sequence-3 generate-number grid-coordinate guess-number
highlight-text highlight-text-2 hot-cold identify-shape login-user login-user-popup
multi-layouts multi-orderings navigate-tree number-checkboxes odd-or-even order-food
phone-book read-table read-table-2 resize-textarea right-angle scroll-text
scroll-text-2 search-engine sign-agreement simon-says simple-algebra simple-arithmetic
social-media social-media-all social-media-some stock-market terminal text-editor
text-transform tic-tac-toe unicode-test use-autocomplete use-autocomplete-nodelay use-colorwheel
use-colorwheel-2 use-slider use-slider-2 use-spinner visual-addition
`
  .trim()
  .split(/\s+/);

/** Excluded pages, by name, with the reason for the exclusion. */
export const leftOut: Readonly<Record<string, string>> = {
  "chase-circle": "the mouse would have to follow a circle without a pause",
  "click-pie": "its animation takes notice of the mouse at times that differ",
  "draw-circle": "no action moves the mouse along a curve",
  "hover-shape": "it never ends",
  "moving-items": "its rewards need many clicks in a second",
};

/** Number of training problems per task. Their seeds start at 0. */
const trainingSeeds = 1_000_000;
/** Number of test problems per task. Their seeds follow the seeds of the training problems. */
const testSeeds = 5;

export interface Problem {
  task: string;
  seed: number;
  /** Mode of the page. Some pages generate different problems in test mode. */
  mode: "train" | "test";
}

/** @param ref split and index of a task */
export function problemOf({ split, index }: TaskRef): Problem {
  if (split !== "train" && split !== "test") return { task: split, seed: index, mode: "train" };
  const task = taskNames[index % taskNames.length] as string;
  const round = Math.floor(index / taskNames.length);
  return split === "train" ? { task, seed: round, mode: "train" } : { task, seed: trainingSeeds + round, mode: "test" };
}

function splitOf(name: string, size: number, summary: string): [string, TaskSplit] {
  const title = (index: number) => {
    const { task, seed } = problemOf({ split: name, index });
    return `${task}, seed ${seed}`;
  };
  return [name, { size, summary, title }];
}

export const splits: Readonly<Record<string, TaskSplit>> = Object.fromEntries([
  splitOf("train", taskNames.length * trainingSeeds, "All tasks in turn, each round with the next seed."),
  splitOf("test", taskNames.length * testSeeds, "All tasks in turn, with five seeds that no other split has."),
  ...taskNames.map((name) => splitOf(name, trainingSeeds, `The task ${name}, with the index as its seed.`)),
]);
