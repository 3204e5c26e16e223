/** Returns the error of a gym whose log is an unfinished copy. @param place file or database, such as "the file" */
export function unfinishedCopy(place: string): string {
  return `expected a whole episode log, but ${place} has an unfinished copy of one. Finish it with \`palestra log copy\``;
}
