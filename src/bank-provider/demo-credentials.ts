/** Credentials of invented banks. The sandbox provides this class; without the sandbox nothing does. */
export abstract class DemoCredentials {
  /** Names of the providers whose invented banks this service can reach. */
  abstract readonly providers: readonly string[];

  /**
   * A credential that nobody has used yet, as a person would paste it.
   *
   * @param provider one of {@link providers}
   * @param origin address of this process, `http://127.0.0.1:3000`
   */
  abstract create(provider: string, origin: string): string;
}
