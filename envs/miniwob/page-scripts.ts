/** Scripts that run inside a task's page. */

/**
 * Script that runs before the page's own scripts and before the page's clock is replaced. The script sets up seeded
 * randomness, a private clipboard, and access to real animation frames.
 */
export const beforePage = `(() => {
  const nextFrame = requestAnimationFrame.bind(window);
  const frames = () => new Promise((done) => nextFrame(() => nextFrame(() => done())));
  const drawn = async () => {
    await frames();
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  };
  Object.defineProperty(window, "palestra", { value: { drawn, marks: [], pictures: [], isStarted: false } });
  let state = 1;
  Math.random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  let kept = "";
  const selected = () => {
    const at = document.activeElement;
    if (at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement) {
      if (at.type === "password" || at.selectionStart === null) return "";
      return at.value.slice(at.selectionStart, at.selectionEnd);
    }
    return String(getSelection());
  };
  const keep = (event) => {
    event.preventDefault();
    kept = selected() || kept;
    if (event.type === "cut") document.execCommand("delete");
  };
  addEventListener("copy", keep, true);
  addEventListener("cut", keep, true);
  addEventListener("paste", (event) => {
    event.preventDefault();
    document.execCommand("insertText", false, kept);
  }, true);
})()`;

/**
 * Styles that hide the page's score displays and the cover that it shows between episodes. CSS animations are disabled,
 * because the controlled clock does not control them.
 */
const style = `
  #reward-display, #click-canvas, #attention-canvas, #sync-task-cover { display: none !important; }
  *, *::before, *::after { transition: none !important; animation: none !important; }`;

/**
 * Returns a script that starts the episode without a time limit. The script first waits for the pictures of the style
 * sheets, since pictures that load late would make observations nondeterministic. The script hides the text of the
 * task, because the observation shows this text separately.
 */
export function startScript(seed: number, mode: "train" | "test"): string {
  return `(async () => {
    const addresses = new Set();
    for (const sheet of document.styleSheets) {
      for (const rule of sheet.cssRules) {
        for (const [, url] of rule.cssText.matchAll(/url\\("([^"]+)"\\)/g)) {
          addresses.add(new URL(url, sheet.href ?? location.href).href);
        }
      }
    }
    palestra.pictures = [...addresses].map((src) => Object.assign(new Image(), { src }));
    await Promise.all(palestra.pictures.map((picture) => picture.decode().catch(() => {})));
    const style = document.createElement("style");
    style.textContent = ${JSON.stringify(style)};
    document.head.append(style);
    Math.seedrandom(${seed});
    core.setDataMode(${JSON.stringify(mode)});
    core.startEpisodeReal();
    clearTimeout(core.EP_TIMER);
    clearInterval(core.CD_TIMER);
    document.getElementById("query").setAttribute("aria-hidden", "true");
    palestra.isStarted = true;
  })()`;
}

export const readyScript = "typeof WOB_TASK_READY === 'undefined' || WOB_TASK_READY === true";

/** Maximum number of elements without text that an observation lists. */
const mostMarks = 200;

/** Script that reads the state of the task. `isHere` is false if the agent has left or reloaded the page. */
export const stateScript = `(() => {
  if (!palestra.isStarted) return { isHere: false };
  if (WOB_DONE_GLOBAL) {
    return { isHere: true, isDone: true, reward: WOB_RAW_REWARD_GLOBAL, reason: WOB_REWARD_REASON ?? null };
  }
  const told = core.getUtterance();
  const utterance = typeof told === "string" ? told : told.utterance;
  const elsewhere = "#reward-display, #click-canvas, #sync-task-cover, script, style, select, br, input";
  const marks = [];
  palestra.marks = [];
  for (const element of document.body.querySelectorAll("*")) {
    if (marks.length === ${mostMarks}) break;
    if (element.childElementCount > 0 || element.closest(elsewhere)) continue;
    const isDrawn = element instanceof SVGElement;
    const text = element.textContent.trim();
    if (!isDrawn && text !== "" && element.localName !== "textarea") continue;
    const shown = getComputedStyle(element);
    if (shown.visibility !== "visible") continue;
    const { left, top, width, height } = element.getBoundingClientRect();
    if (isDrawn ? width + height < 1 : width < 1 || height < 1) continue;
    const colour = isDrawn ? shown.fill : shown.backgroundColor;
    const isPlain = colour === "none" || colour === "rgba(0, 0, 0, 0)";
    palestra.marks.push(element);
    marks.push({
      tag: element.tagName.toLowerCase(),
      id: element.id,
      classes: element.getAttribute("class") ?? "",
      label: element.getAttribute("alt") ?? element.getAttribute("title") ?? "",
      text: isDrawn ? text : "",
      colour: isPlain ? "" : colour,
      rect: [left, top, width, height].map(Math.round),
    });
  }
  return { isHere: true, isDone: false, utterance, marks };
})()`;

/** Script that waits for the next frame. The browser fires delayed events, such as scroll events, in that frame. */
export const drawnScript = "palestra.drawn()";

/**
 * Returns a script that scrolls the page. If the page itself cannot scroll, the script scrolls the largest scrollable
 * box.
 */
export function scrollScript(sign: 1 | -1): string {
  return `(() => {
    const page = document.scrollingElement;
    const size = (box) => box.clientWidth * box.clientHeight;
    const scrolls = (box) => box.scrollHeight > box.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(box).overflowY);
    const boxes = [...document.body.querySelectorAll("*")].filter(scrolls).sort((a, b) => size(b) - size(a));
    const [box] = page.scrollHeight > page.clientHeight + 1 ? [page] : boxes;
    if (box) box.scrollTop += ${sign} * box.clientHeight;
  })()`;
}

/**
 * JavaScript function for a select list or one of its entries: chooses an entry. Returns null, or the reason why the
 * entry cannot be chosen.
 */
export const selectFunction = `function (entry) {
  const list = this.nodeType === Node.ELEMENT_NODE ? this.closest("select") : null;
  if (!list) return "expected a list of choices";
  if (list.disabled) return "expected a list of choices that is not disabled";
  const option = [...list.options].find(({ text }) => text.trim() === entry.trim());
  if (!option) return "expected one of " + [...list.options].map(({ text }) => JSON.stringify(text.trim())).join(", ");
  option.selected = true;
  list.focus();
  list.dispatchEvent(new Event("input", { bubbles: true }));
  list.dispatchEvent(new Event("change", { bubbles: true }));
  return null;
}`;

/** JavaScript function for any node: returns whether a click would open a native list outside the page. */
export const isListFunction = `function () {
  const list = this.nodeType === Node.ELEMENT_NODE ? this.closest("select") : null;
  return list !== null && !list.multiple && list.size <= 1;
}`;

/** JavaScript function for any node: returns the node or its nearest ancestor with a size. */
export const boxFunction = `function () {
  let box = this.nodeType === Node.ELEMENT_NODE ? this : this.parentElement;
  while (box && box.getClientRects().length > 0 && box.offsetWidth * box.offsetHeight === 0) box = box.parentElement;
  return box;
}`;
