/** Keeps the beginning of a text while it arrives. */
export class TextBeginning {
  readonly #decoder = new TextDecoder();
  #text = '';
  #chars = 0;

  constructor(private readonly maxChars: number) {}

  get text(): string {
    return this.#text;
  }

  /** The length of the whole text. */
  get chars(): number {
    return this.#chars;
  }

  add(chunk: Buffer): void {
    this.#add(this.#decoder.decode(chunk, { stream: true }));
  }

  end(): this {
    this.#add(this.#decoder.decode());
    return this;
  }

  #add(text: string): void {
    this.#chars += text.length;
    this.#text += text.slice(0, this.maxChars - this.#text.length);
  }
}
