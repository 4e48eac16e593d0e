/** Thrown where the client has that version of the answer already, so that nothing is read. */
export class NotModified extends Error {
  constructor(readonly headers: Readonly<Record<string, string>>) {
    super('not modified');
  }
}
