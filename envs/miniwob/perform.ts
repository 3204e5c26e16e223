/** Performs actions in a task's page with mouse and keyboard. */
import type { CDPSession } from "playwright";
import { sandboxCode } from "../errors.js";
import { playwrightKeys, WrongAction } from "../shared/browser/actions/web-action.js";
import type { MiniWobAction, Point } from "./actions.js";
import { boxFunction, isListFunction, scrollScript, selectFunction } from "./page-scripts.js";
import type { Seen } from "./sight.js";
import type { TaskPage } from "./task-page.js";

/** Number of mouse moves in a drag. */
const dragSteps = 10;
/** Maximum number of characters of a text that is typed with key events. A longer text is inserted at once. */
const mostTyped = 200;

/**
 * Performs an action.
 *
 * @throws {WrongAction} the action cannot be performed; the message is for the agent
 * @throws {SandboxError} TIMEOUT, LOST
 * @throws the signal's reason
 */
export async function perform(page: TaskPage, action: MiniWobAction, signal: AbortSignal): Promise<void> {
  try {
    await page.call(() => carryOut(page, action), signal);
  } catch (error) {
    if (signal.aborted || error instanceof WrongAction || sandboxCode(error) !== undefined) throw error;
    throw new WrongAction((error as Error).message.split("\n", 1)[0]);
  }
}

async function carryOut(page: TaskPage, action: MiniWobAction): Promise<void> {
  const { mouse, keyboard } = page.page;
  switch (action.kind) {
    case "click":
      return mouse.click(...(await pointOf(page, action.id)));
    case "double_click":
      return mouse.click(...(await pointOf(page, action.id)), { clickCount: 2 });
    case "triple_click":
      return mouse.click(...(await pointOf(page, action.id)), { clickCount: 3 });
    case "hover":
      return mouse.move(...(await pointOf(page, action.id)));
    case "type":
      return type(page, action);
    case "press":
      return keyboard.press(playwrightKeys(action.keys));
    case "scroll":
      return page.page.evaluate(scrollScript(action.direction === "down" ? 1 : -1)) as Promise<void>;
    case "select":
      return select(page, action.id, action.entry);
    case "click_at":
      return mouse.click(...action.at);
    case "hover_at":
      return mouse.move(...action.at);
    case "drag": {
      const to = await pointOf(page, action.to);
      return drag(page, await pointOf(page, action.from), to);
    }
    case "drag_at":
      return drag(page, action.from, action.to);
    case "wait":
      return;
  }
}

async function type(page: TaskPage, { id, text, isEntered }: MiniWobAction & { kind: "type" }): Promise<void> {
  const { mouse, keyboard } = page.page;
  await mouse.click(...(await pointOf(page, id)));
  if ([...text].length <= mostTyped) await keyboard.type(text);
  else await keyboard.insertText(text);
  if (isEntered) await keyboard.press("Enter");
}

async function drag({ page: { mouse } }: TaskPage, from: Point, to: Point): Promise<void> {
  await mouse.move(...from);
  await mouse.down();
  await mouse.move(...to, { steps: dragSteps });
  await mouse.up();
}

async function select(page: TaskPage, id: string, entry: string): Promise<void> {
  const cdp = await page.cdp();
  const objectId = await objectOf(cdp, found(page, id));
  const wrong = await ask<string | null>(cdp, objectId, selectFunction, entry);
  if (wrong !== null) throw new WrongAction(`${wrong}, but received [${id}] [${entry}]`);
}

/** Scrolls an element into view and returns the center of the element. */
async function pointOf(page: TaskPage, id: string): Promise<Point> {
  const cdp = await page.cdp();
  const objectId = await objectOf(cdp, found(page, id));
  if (await ask<boolean>(cdp, objectId, isListFunction))
    throw new WrongAction(`expected select [id] [entry] for a list of choices, but received [${id}]`);
  const place = (await middleOf(cdp, objectId)) ?? (await middleOf(cdp, await boxAround(cdp, objectId)));
  if (!place) throw new WrongAction(`expected an element that is in view, but received [${id}]`);
  return place;
}

async function middleOf(cdp: CDPSession, objectId: string): Promise<Point | undefined> {
  try {
    await cdp.send("DOM.scrollIntoViewIfNeeded", { objectId });
    const { quads } = await cdp.send("DOM.getContentQuads", { objectId });
    const [quad] = quads.filter(([left = 0, top = 0, , , right = 0, bottom = 0]) => right > left || bottom > top);
    if (!quad) return undefined;
    const [left, top, , , right, bottom] = quad as [number, number, number, number, number, number];
    return [(left + right) / 2, (top + bottom) / 2];
  } catch {
    // The element has no layout.
    return undefined;
  }
}

/**
 * Returns the nearest element that contains a node and has a size. The node itself may have size 0, as some texts do.
 */
async function boxAround(cdp: CDPSession, objectId: string): Promise<string> {
  const { result } = await cdp.send("Runtime.callFunctionOn", { objectId, functionDeclaration: boxFunction });
  return result.objectId ?? objectId;
}

function found({ sight }: TaskPage, id: string): Seen {
  const seen = sight.seen.get(id);
  if (!seen) throw new WrongAction(`expected the number of an element that is shown, but received [${id}]`);
  return seen;
}

async function objectOf(cdp: CDPSession, { backendNodeId, mark }: Seen): Promise<string> {
  const { objectId } =
    mark === undefined
      ? (await cdp.send("DOM.resolveNode", { backendNodeId: backendNodeId as number })).object
      : (await cdp.send("Runtime.evaluate", { expression: `palestra.marks[${mark}]` })).result;
  if (objectId === undefined) throw new WrongAction("The element is gone.");
  return objectId;
}

async function ask<T>(cdp: CDPSession, objectId: string, functionDeclaration: string, ...values: string[]): Promise<T> {
  const { result, exceptionDetails } = await cdp.send("Runtime.callFunctionOn", {
    objectId,
    functionDeclaration,
    arguments: values.map((value) => ({ value })),
    returnByValue: true,
  });
  if (exceptionDetails) throw new WrongAction(exceptionDetails.text);
  return result.value as T;
}
