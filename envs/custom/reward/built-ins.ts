/** Notices changes of what all code of a process shares: built-in objects, environment variables and the working folder. */

const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { is, isFrozen } = Object;
const { cwd, getActiveResourcesInfo } = process;
const variables = process.env;

/** A property of a built-in object, with its value, or with its getter and setter. */
type Property = readonly [holder: object, key: PropertyKey, value: unknown, get: unknown, set: unknown];

/** Names of the modules of Node whose functions are compared, since most reward functions use them. */
const modules = ["fs", "path", "crypto", "util", "url", "buffer", "events", "child_process", "http", "https", "os"];

/**
 * Returns a function that tells whether the built-in objects, the environment variables and the working folder are what they
 * are now. From its second call on, the function also tells whether no timer, connection or process is left that was not
 * there at its first call.
 */
export function builtIns(): () => boolean {
  const { objects: holders, lazy } = reachable();
  // Node adds names to the lazy objects when parts of it are first used.
  const counted = holders.filter((holder) => !lazy.has(holder));
  const sizes = counted.map((holder) => ownKeys(holder).length);
  const properties = holders.flatMap((holder) => propertiesOf(holder, lazy.has(holder)));
  const [folder, values] = [cwd(), { ...variables }];
  let resources: number | undefined;
  const names = ownKeys(values) as string[];
  return () => {
    for (let at = 0; at < counted.length; at++) {
      if (ownKeys(counted[at] as object).length !== sizes[at]) return false;
    }
    for (const property of properties) if (!isSame(property)) return false;
    if (ownKeys(variables).length !== names.length) return false;
    for (const name of names) if (variables[name] !== values[name]) return false;
    const now = getActiveResourcesInfo().length;
    resources ??= now;
    return cwd() === folder && now <= resources;
  };
}

function isSame([holder, key, value, get, set]: Property): boolean {
  const now = getOwnPropertyDescriptor(holder, key);
  return now !== undefined && is(now.value, value) && now.get === get && now.set === set;
}

/** @param isLazy whether Node replaces getters of the object by values when they are first read */
function propertiesOf(holder: object, isLazy: boolean): Property[] {
  return ownKeys(holder).flatMap((key): Property[] => {
    const found = getOwnPropertyDescriptor(holder, key) as PropertyDescriptor;
    return isLazy && found.get ? [] : [[holder, key, found.value, found.get, found.set]];
  });
}

/**
 * Returns the built-in objects: the global ones, their prototypes, those that only syntax reaches, and Node's modules. `lazy`
 * are those whose getters Node replaces.
 */
function reachable(): { objects: object[]; lazy: ReadonlySet<object> } {
  const found = new Set<object>([globalThis]);
  const add = (value: unknown) => {
    if (value !== null && (typeof value === "object" || typeof value === "function") && !isFrozen(value))
      found.add(value);
  };
  for (const key of ownKeys(globalThis)) {
    // Getters of globals would load parts of Node that nobody uses.
    const value = getOwnPropertyDescriptor(globalThis, key)?.value;
    if (value === globalThis || value === process) continue;
    add(value);
    if (typeof value === "function") add(value.prototype);
  }
  const bySyntax = [
    [][Symbol.iterator](),
    ""[Symbol.iterator](),
    new Map().entries(),
    new Set().values(),
    "".matchAll(/x/g),
  ];
  const functions = [async () => {}, function* () {}, async function* () {}];
  for (const value of [...bySyntax, ...functions, new Int8Array()])
    for (let one = getPrototypeOf(value); one !== null; one = getPrototypeOf(one)) {
      add(one);
      add(getOwnPropertyDescriptor(one, "prototype")?.value);
    }
  const loaded = modules.map((name) => process.getBuiltinModule?.(name) as object | undefined);
  for (const module of loaded) add(module);
  return { objects: [...found], lazy: new Set([globalThis, ...loaded.filter((module) => module !== undefined)]) };
}
