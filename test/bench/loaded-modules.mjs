/**
 * Preload that appends the path of each loaded module to the file BENCH_LOADED_MODULES, with the id of its process. ES
 * modules are seen by a load hook, and CommonJS modules by the functions that load their files.
 */
import { appendFileSync } from "node:fs";
import Module, { register } from "node:module";

const file = process.env.BENCH_LOADED_MODULES;
const hooks = `
  import { appendFileSync } from "node:fs";
  let to;
  export const initialize = (data) => void (to = data);
  export async function load(url, context, next) {
    if (url.startsWith("file:")) appendFileSync(to.file, to.pid + " " + new URL(url).pathname + "\\n");
    return next(url, context);
  }`;

if (file !== undefined) {
  register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: { file, pid: process.pid } });
  for (const [extension, load] of Object.entries(Module._extensions))
    Module._extensions[extension] = function (module, path) {
      appendFileSync(file, `${process.pid} ${path}\n`);
      return load.call(this, module, path);
    };
}
