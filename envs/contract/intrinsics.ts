/**
 * The objects of JavaScript that all code of a thread shares, such as `Object.prototype`. An environment that changes one of
 * them changes the behavior of its neighbors.
 */

const { getOwnPropertyDescriptor, is } = Object;
const { ownKeys } = Reflect;

const constructors = [
  ...["Object", "Function", "Array", "String", "Number", "Boolean", "BigInt", "Symbol", "Date", "RegExp", "Error"],
  ...["TypeError", "RangeError", "SyntaxError", "Map", "Set", "WeakMap", "WeakSet", "Promise", "ArrayBuffer"],
  ...["Uint8Array", "Float64Array", "DataView", "Proxy", "URL", "TextEncoder", "TextDecoder"],
];
const namespaces = ["JSON", "Math", "Reflect", "Atomics", "globalThis"];

const iterators = {
  "the prototype of array iterators": Object.getPrototypeOf([].values()),
  "the prototype of iterators": Object.getPrototypeOf(Object.getPrototypeOf([].values())),
  "the prototype of generators": Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())),
  "the prototype of typed arrays": Object.getPrototypeOf(Uint8Array.prototype),
};

/** Libraries add globals, and settings of stack traces. */
const extensible = new Set<object>([globalThis, Error]);

interface Watched {
  name: string;
  object: object;
  /** Own properties. Null for objects to which modules may add. */
  keys: readonly (string | symbol)[] | null;
}

interface Value {
  watched: Watched;
  key: string | symbol;
  value: unknown;
}

/** A property with a getter. Its getter is compared and never called. */
interface Accessor {
  watched: Watched;
  key: string | symbol;
  get: unknown;
}

/**
 * Snapshot of the shared objects, taken once all modules are loaded, so that a module can add a polyfill while it loads.
 * A comparison takes about ten microseconds.
 */
export class Intrinsics {
  private readonly watched: Watched[];
  private readonly values: Value[] = [];
  private readonly accessors: Accessor[] = [];

  constructor() {
    const globals = globalThis as unknown as Record<string, object & { prototype?: object }>;
    const named: Record<string, object | undefined> = { ...iterators };
    for (const name of [...namespaces, ...constructors]) named[name] = globals[name];
    for (const name of constructors) named[`${name}.prototype`] = globals[name]?.prototype;
    this.watched = Object.entries(named).flatMap(([name, object]) =>
      object ? [{ name, object, keys: extensible.has(object) ? null : ownKeys(object) }] : [],
    );
    for (const watched of this.watched) this.addProperties(watched);
  }

  /** Name of an object or property that has changed since the snapshot, or null if none has. */
  get changed(): string | null {
    const { watched, values, accessors } = this;
    // Counted loops, since an environment may have replaced the iterator of arrays.
    for (let i = 0; i < watched.length; i++) {
      const owner = watched[i] as Watched;
      if (owner.keys !== null && ownKeys(owner.object).length !== owner.keys.length) return resized(owner, owner.keys);
    }
    for (let i = 0; i < values.length; i++) {
      const { watched: owner, key, value } = values[i] as Value;
      if (!is((owner.object as Record<string | symbol, unknown>)[key], value)) return nameOf(owner, key);
    }
    for (let i = 0; i < accessors.length; i++) {
      const { watched: owner, key, get } = accessors[i] as Accessor;
      if (getOwnPropertyDescriptor(owner.object, key)?.get !== get) return nameOf(owner, key);
    }
    return null;
  }

  private addProperties(watched: Watched): void {
    const { object } = watched;
    const keys = object === globalThis ? [...constructors, ...namespaces] : ownKeys(object);
    for (const key of keys) {
      if (key === "stackTraceLimit") continue;
      const descriptor = getOwnPropertyDescriptor(object, key);
      if (descriptor?.get) this.accessors.push({ watched, key, get: descriptor.get });
      else if (descriptor?.configurable || descriptor?.writable)
        this.values.push({ watched, key, value: descriptor.value });
    }
  }
}

/** Returns the name of a property that was added to an object, or of the object if one was removed. */
function resized(owner: Watched, keys: readonly (string | symbol)[]): string {
  const now = ownKeys(owner.object);
  for (let i = 0; i < now.length; i++) {
    let isNew = true;
    for (let j = 0; j < keys.length; j++) if (keys[j] === now[i]) isNew = false;
    if (isNew) return nameOf(owner, now[i] as string | symbol);
  }
  return owner.name;
}

function nameOf({ name }: Watched, key: string | symbol): string {
  return typeof key === "symbol" ? name : `${name}.${key}`;
}
