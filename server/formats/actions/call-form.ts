/** The form in which a model writes calls of tools. */

/** A call in a reply. Values in `words` are text, for the types of the tool's schema. */
export interface FoundCall {
  readonly name: string;
  /** Arguments as JSON. Without a name, the whole call as JSON. */
  readonly json?: string;
  /** Arguments whose values the model writes without JSON, by name. */
  readonly words?: Readonly<Record<string, string>>;
  /** Id that the model gave to the call, and by which its template names the result. */
  readonly id?: string;
}

/** Texts around the arguments of calls, for the forms whose arguments are JSON. */
export interface WrittenCalls {
  /** Text before the first call, and after the last. */
  readonly begin: string;
  readonly end: string;
  /** Text before the arguments of a call. */
  before(name: string): string;
  readonly after: string;
  /** Text between two calls; undefined if a reply has one call at most. */
  readonly between?: string;
}

export interface CallForm {
  readonly name: string;
  /** Text that begins a call, and with which a reply in this form is recognized. */
  readonly mark: string;
  /** Texts with which the calls of a reply begin. The text before them belongs to the reply's content. */
  readonly begins: readonly string[];
  /** Text at which a reply can be stopped after its first call; undefined if a call has no such end. */
  readonly closing?: string;
  /** Limit on the calls of a reply, if the form has one. */
  readonly most?: number;
  /** Whether a reply has channels beside calls, one of which has the text. */
  readonly channels?: boolean;
  /** Tokens that end a reply with calls, beside those that end any reply of the model. */
  readonly ends?: readonly string[];
  /** Whether a call may be JSON without marks, which then is the whole reply. */
  readonly isBare?: boolean;
  /** How the calls of a reply are written; undefined if their arguments are not JSON. */
  readonly written?: WrittenCalls;
  /**
   * Finds the calls in a text.
   *
   * @param most limit on the number of calls
   * @returns the calls, and the text that belongs to no call: a call without an end leaves its beginning there
   */
  find(text: string, most?: number): { readonly calls: FoundCall[]; readonly outside: string };
}
