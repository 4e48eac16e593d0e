/** Hyphenated, either case, any version. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** White space, control characters and those that Unicode has drawn as nothing; the blank of Braille is none of them. */
const INVISIBLE = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Text without the white space around it; `''` if nothing of it can be seen. Invisible joiners within it stay. */
export function visibleText(text: string): string {
  return INVISIBLE.test(text) ? '' : text.trim();
}
