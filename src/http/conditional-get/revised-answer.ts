/** An answer that was read together with its revision. Without a revision it gets no entity tag. */
export class RevisedAnswer<Answer> {
  constructor(
    readonly answer: Answer,
    readonly revision: string | null,
  ) {}
}
