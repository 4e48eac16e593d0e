/** Makes credentials for the sandbox's banks, and receives requests. Only the sandbox provides it. */
export abstract class DemoCredentials {
  /** Names of the providers that have a sandbox. */
  abstract readonly providers: readonly string[];

  /**
   * A new credential, as a person would paste it.
   *
   * @param provider one of {@link providers}
   * @param origin address of this process, `http://127.0.0.1:3000`
   */
  abstract create(provider: string, origin: string): string;

  /** An address that accepts every request. */
  abstract receiverUrl(origin: string): string;
}
