/**
 * A timezone in which it is about noon, on the same date as in UTC. A test on the clock of the machine gives it to its
 * people: their date does not change meanwhile.
 */
export function middayZone(now = new Date()): string {
  // In these names, what is ahead of UTC has a minus.
  const behind = now.getUTCHours() - 12;
  return `Etc/GMT${behind < 0 ? '' : '+'}${behind}`;
}
