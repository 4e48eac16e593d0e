/** Whether a request changes nothing. */
export function isSafeMethod({ method }: { method: string }): boolean {
  return method === 'GET' || method === 'HEAD';
}
