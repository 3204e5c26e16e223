/** Ways in which a page leaves for an address, each as the body of an async function that runs in it. */
export const waysOut: Readonly<Record<string, (url: string) => string>> = {
  fetch: (url) => `return (await fetch("${url}", { mode: "no-cors" })).type`,
  image: (url) => `return new Promise((resolve) => { const image = new Image(); image.onload = image.onerror = resolve;
    image.src = "${url}"; }).then(({ type }) => type)`,
  frame: (url) => `const frame = document.createElement("iframe"); frame.src = "${url}"; document.body.append(frame);`,
  form: (url) => `const form = document.createElement("form"); form.method = "post"; form.action = "${url}";
    document.body.append(form); form.submit();`,
  link: (url) =>
    `const link = document.createElement("a"); link.href = "${url}"; document.body.append(link); link.click();`,
  popup: (url) => `window.open("${url}");`,
  beacon: (url) => `navigator.sendBeacon("${url}", "secret");`,
  socket: (url) => `return new Promise((resolve) => { const socket = new WebSocket("${url.replace("http", "ws")}");
    socket.onopen = () => resolve("open"); socket.onclose = () => resolve("closed"); });`,
  worker: (url) => `const code = "fetch('${url}').then(() => postMessage('done'), () => postMessage('failed'))";
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    return new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });`,
  prefetch: (url) => `for (const rel of ["prefetch", "preconnect", "dns-prefetch", "preload", "prerender"]) {
    const link = document.createElement("link"); link.rel = rel; link.href = "${url}"; document.head.append(link); }`,
  event: (url) => `const source = new EventSource("${url}");
    return new Promise((resolve) => { source.onopen = () => resolve("open"); source.onerror = () => resolve("closed"); });`,
  import: (url) => `return import("${url}");`,
};

/** Tries every way from a page to an address, and names those that say they have led there. */
export async function openWays(
  attemptAt: (script: string) => Promise<string>,
  url: (way: string) => string,
): Promise<string[]> {
  const open: string[] = [];
  for (const [way, script] of Object.entries(waysOut)) {
    const received = await attemptAt(script(url(way))).catch((error: Error) => error.message);
    if (/^done (open|done|load|\[object Module\])/.test(received)) open.push(`${way}: ${received}`);
  }
  return open;
}
