import { inspect } from 'node:util';

const HIDDEN = '[secret]';

/** Text that cannot be printed, logged or serialised by accident. Only {@link reveal} returns it. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}
