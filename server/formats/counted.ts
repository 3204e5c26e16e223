/** Returns a count with its noun: `1 host`, `2 hosts`. @param nouns plural, if it is not the noun with an `s` */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
