import type { Application, Request } from 'express';

const LOCAL = 'sourceUrl';

/** Stored on the application, because the error filter renders pages without dependency injection. */
export function setSourceUrl(app: Application, url: string | null): void {
  app.locals[LOCAL] = url;
}

export function sourceUrlOf({ app }: Request): string | null {
  return (app.locals[LOCAL] as string | null | undefined) ?? null;
}
