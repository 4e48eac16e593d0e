/** Reads a text that changes with everything a person's lists show. It must cost less than reading a list. */
export abstract class Revisions {
  abstract readRevision(userId: string): Promise<string>;
}

/** An answer that was read together with its revision. */
export interface RevisedAnswer<Answer> {
  answer: Answer;
  revision: string;
}
