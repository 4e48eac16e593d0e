/** A form as it was sent: names and texts, nothing of it trusted. */
export type FormBody = Record<string, unknown> | undefined;

/** The text of a field, without the blanks around it; `''` when there is none. */
export function textOf(body: FormBody, name: string): string {
  const value = body?.[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** Exactly as typed, for passwords. */
export function rawTextOf(body: FormBody, name: string): string {
  const value = body?.[name];
  return typeof value === 'string' ? value : '';
}

/** Every text given under a name, as checkboxes send them. */
export function textsOf(body: FormBody, name: string): string[] {
  const value = body?.[name];
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
}

/** The person who is signed out may ask for a page; only a path of ours is followed. */
export function ownPath(path: unknown): string {
  return typeof path === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : '/';
}
