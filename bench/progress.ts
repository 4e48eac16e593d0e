/** One line of a terminal that is written over; nothing where the output goes to a file. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
