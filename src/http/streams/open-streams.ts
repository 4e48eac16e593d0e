/** Who reads a stream, and by which credential: the id of an API key, or that of a session. */
export interface StreamOwner {
  userId: string;
  credentialId: string;
}

/** Ends event streams and downloads when the credential they were opened with ends. */
export abstract class OpenStreams {
  /**
   * @param end is called once, when the credential ends
   * @returns what to call when the stream is over
   */
  abstract register(owner: StreamOwner, end: () => void): () => void;
}
