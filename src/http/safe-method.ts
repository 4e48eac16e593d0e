/** Whether a request changes nothing. */
export function isReading({ method }: { method: string }): boolean {
  return method === 'GET' || method === 'HEAD';
}
