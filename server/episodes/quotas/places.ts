/**
 * Shares a number of places, such as steps in flight, among callers: a caller gets a further place while it holds fewer
 * places than are free. A caller alone gets at most half of the places, two busy callers a third each, and so on.
 * Therefore a caller that holds no place finds a free one, however many places the others want.
 */
export class Places {
  taken = 0;

  constructor(readonly count: number) {}

  /**
   * Returns whether a caller that holds `held` places may take `wanted` more. The rule looks at the places held before,
   * so one large request may exceed the share.
   */
  hasRoom(held: number, wanted = 1): boolean {
    const free = this.count - this.taken;
    return held < free && wanted <= free;
  }
}
