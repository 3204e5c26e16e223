/** Solvers for tasks in a mailbox. */
import { clickOn, clickOnMark, hasClass, type Item, type MarkItem, type Solver, typeInto, type View } from "../view.js";

interface Order {
  action: "reply" | "forward" | "delete" | "important";
  sender: string;
  /** Text of the reply, or name of the recipient of the forwarded mail. */
  detail: string;
}

function orderOf(task: string): Order {
  const [, sender = ""] = /email by (\S+) and/.exec(task) ?? [];
  const [, text] = /with the text "(.*)"\./.exec(task) ?? [];
  if (text !== undefined) return { action: "reply", sender, detail: text };
  const [, person] = /forward that email to (\S+)\.$/.exec(task) ?? [];
  if (person !== undefined) return { action: "forward", sender, detail: person };
  return { action: task.includes("trash") ? "delete" : "important", sender, detail: "" };
}

/**
 * Reads an instruction to forward a mail whose wording varies. The names are those of the mailbox. The words next to a
 * name decide whether the person is the sender or the recipient.
 */
function freeOrderOf(view: View): Order {
  const first = view.history[0] ?? view;
  const names = [...new Set(first.all("StaticText").map(({ name }) => name))].filter(
    (name) => new RegExp(`(^|[^\\w-])${name}($|[^\\w-])`).test(view.task) && /^[A-Z][\w-]*$/.test(name),
  );
  const isReceiver = (name: string) =>
    new RegExp(`\\bto ${name}\\b|^${name} (wants the|is waiting)|(Send|Give|Forward) ${name} the`).test(view.task);
  const detail = names.find(isReceiver) ?? "";
  return { action: "forward", sender: names.find((name) => name !== detail) ?? "", detail };
}

function follow(view: View, { action, sender, detail }: Order): string | null {
  const line = view.first("StaticText", sender);
  if (action === "delete") return clickOnMark(beside(view, line, "trash"));
  if (action === "important") return clickOnMark(beside(view, line, "star"));
  const button = view.first("StaticText", action === "reply" ? "Reply" : "Forward");
  if (button) return clickOn(button);
  const sent = view.marks.find(({ id }) => id === `send-${action}`);
  if (!sent) return clickOn(line);
  const field = view.fields[0];
  return field && view.valueOf(field) !== detail ? typeInto(field, detail) : clickOnMark(sent);
}

/** Returns the icon of one kind that is nearest to the height of a line. */
function beside(view: View, line: Item | undefined, kind: string): MarkItem | undefined {
  if (!line) return undefined;
  const top = view.rectOf(line.id)[1];
  const distance = ({ rect }: MarkItem) => Math.abs(rect[1] - top);
  return view.marks.filter((mark) => hasClass(mark, kind)).sort((a, b) => distance(a) - distance(b))[0];
}

const told: Solver = (view) => follow(view, orderOf(view.task));

export const mailSolvers: Readonly<Record<string, Solver>> = {
  "email-inbox": told,
  "email-inbox-delete": told,
  "email-inbox-forward": told,
  "email-inbox-forward-nl": (view) => follow(view, freeOrderOf(view)),
  "email-inbox-important": told,
  "email-inbox-noscroll": told,
  "email-inbox-reply": told,
  "email-inbox-star-reply": told,
};
