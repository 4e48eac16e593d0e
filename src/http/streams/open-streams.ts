/** The owner of a stream and its credential: the secret of an API key, or a session. */
export interface StreamOwner {
  userId: string;
  secretId: string;
}

/** Ends event streams and downloads when their credential ends. */
export abstract class OpenStreams {
  /**
   * @param end called once, when the credential ends
   * @returns a function to call when the stream is over
   */
  abstract register(owner: StreamOwner, end: () => void): () => void;
}
