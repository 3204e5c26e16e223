/** The lifetime of the engine's native objects, and the calls that go through their handles. */
import { type Addon, call, type EngineHandle } from "../addon/addon.js";
import { closed, fromAddon, NativeError } from "../addon/errors.js";
import { onAbort } from "./on-abort.js";

/** State that every handle of one engine shares. */
interface Root {
  readonly addon: Addon;
  readonly engine: EngineHandle;
  lastTicket: number;
}

type Noun = "engine" | "model" | "trainer" | "generator";

/** Frees a native object. Returns a promise for an engine only; other objects are freed at once. */
type Free<Raw> = (addon: Addon, raw: Raw) => void | Promise<void>;

/**
 * A handle of one native object: an engine, or a model, trainer or generator.
 *
 * - Ownership: an engine owns its models; a model owns its trainers and generators.
 * - Freeing: `close` closes the children first and frees the object last. A handle that no caller closes is freed by the
 *   addon when the handle is garbage-collected.
 * - Calls: `use` makes a synchronous call. `wait` queues a job on the engine's thread and awaits it.
 */
export class Handle<Raw> {
  readonly #root: Root;
  readonly #noun: Noun;
  readonly #raw: Raw;
  readonly #free: () => void | Promise<void>;
  readonly #owner: Handle<unknown> | undefined;
  readonly #children = new Set<Handle<unknown>>();
  #isClosed = false;
  #afterClose = () => {};

  private constructor(root: Root, noun: Noun, raw: Raw, free: Free<Raw>, owner?: Handle<unknown>) {
    this.#root = root;
    this.#noun = noun;
    this.#raw = raw;
    this.#free = () => call(() => free(root.addon, raw));
    this.#owner = owner;
    if (owner) owner.#children.add(this);
  }

  static ofEngine(addon: Addon, engine: EngineHandle): Handle<EngineHandle> {
    const root = { addon, engine, lastTicket: 0 };
    return new Handle(root, "engine", engine, (_, raw) => addon.closeEngine(raw));
  }

  /** Creates an object that this object owns, on the engine's thread. */
  async create<Child>(
    noun: Noun,
    make: (addon: Addon, raw: Raw) => Promise<Child>,
    free: Free<Child>,
  ): Promise<Handle<Child>> {
    try {
      const child: Child = await this.use(make);
      return new Handle(this.#root, noun, child, free, this);
    } catch (error) {
      throw fromAddon(error);
    }
  }

  /** Makes a synchronous call. */
  use<T>(work: (addon: Addon, raw: Raw) => T): T {
    this.expectOpen();
    return call(() => work(this.#root.addon, this.#raw));
  }

  /** Queues a job on the engine's thread and awaits it. When the signal aborts, the job ends with NATIVE_CANCELLED. */
  async wait<T>(
    signal: AbortSignal | undefined,
    work: (addon: Addon, raw: Raw, ticket: number) => Promise<T>,
  ): Promise<T> {
    this.expectOpen();
    if (signal?.aborted) throw cancelled(signal);
    const root = this.#root;
    root.lastTicket += 1;
    const ticket = root.lastTicket;
    const stopListening = onAbort(signal, () => root.addon.cancel(root.engine, ticket));
    try {
      return await work(root.addon, this.#raw, ticket);
    } catch (error) {
      const ours = fromAddon(error);
      const isCancelled = ours instanceof NativeError && ours.code === "NATIVE_CANCELLED" && signal;
      throw isCancelled ? cancelled(signal) : ours;
    } finally {
      stopListening();
    }
  }

  /** Closes the children, frees the object and calls the listener of `onClose`. A second call does nothing. */
  close(): void | Promise<void> {
    if (this.#isClosed) return;
    for (const child of this.#children) child.close();
    this.#owner?.expectOpen();
    const freed = this.#free();
    this.#isClosed = true;
    if (this.#owner) this.#owner.#children.delete(this);
    this.#afterClose();
    return freed;
  }

  /** Sets the listener that runs after the object's own `close` or its owner's `close`. There is only one listener. */
  onClose(listener: () => void): void {
    this.#afterClose = listener;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The addon's handle, for a call with several objects. Fails with NATIVE_CLOSED when the object is closed. */
  get raw(): Raw {
    this.expectOpen();
    return this.#raw;
  }

  /** Fails with NATIVE_CLOSED when the object or one of its owners is closed. */
  expectOpen(): void {
    if (this.#isClosed) throw closed(this.#noun);
    this.#owner?.expectOpen();
  }

  /** Adds to the number of busy generators. The process stays alive until the number is 0 again. */
  keepAlive(change: 1 | -1): void {
    this.#root.addon.keepAlive(this.#root.engine, change);
  }
}

function cancelled(signal: AbortSignal): NativeError {
  return new NativeError("NATIVE_CANCELLED", "The call was cancelled by its signal.", { cause: signal.reason });
}
