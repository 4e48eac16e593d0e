/** Reads a text that changes with everything a person's lists show. It must cost less than reading a list. */
export abstract class Revisions {
  abstract of(userId: string): Promise<string>;
}
