/**
 * A helper of the director: it gets a request as text, sees nothing else, and answers with a text at a price. The
 * environment knows no more of a helper than this.
 */
export interface Helper {
  readonly name: string;
  /** Returns the price of a request in cents, before it is sent. */
  priceOf(request: string): number;
  answer(request: string): Reply;
}

export interface Reply {
  text: string;
  /** Price in cents. */
  price: number;
  /** Whether the helper did not work on the request, because it is too long, unclear or incomplete. */
  isRefusal: boolean;
}
