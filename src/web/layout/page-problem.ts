/** A link to the next page. */
interface Way {
  href: string;
  text: string;
}

const TO_OVERVIEW: Way = { href: '/', text: 'Go to the overview' };

/** An error that a person sees as a page. */
export class PageProblem extends Error {
  override readonly name = 'PageProblem';

  constructor(
    readonly status: number,
    readonly title: string,
    message: string,
    readonly way = TO_OVERVIEW,
  ) {
    super(message);
  }
}

/** The page requires a signed-in person. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded';
  readonly status = 401;

  /** @param hadSession whether the browser has the cookie of an ended session */
  constructor(readonly hadSession: boolean) {
    super('the page is for people who have signed in');
  }
}

export function pageNotFound(): PageProblem {
  return new PageProblem(404, 'Page not found', 'It may have moved, or what it showed was deleted.');
}
