import type { Application, Request } from 'express';

const LOCAL = 'sourceUrl';

/** Pages are also rendered by the error filter, which has nothing injected: the application carries the address. */
export function setSourceUrl(app: Application, url: string | null): void {
  app.locals[LOCAL] = url;
}

export function sourceUrlOf({ app }: Request): string | null {
  return (app.locals[LOCAL] as string | null | undefined) ?? null;
}
