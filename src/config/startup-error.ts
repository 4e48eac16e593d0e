/** `EX_CONFIG` of sysexits: a restart does not help. */
export const EXIT_CONFIG = 78;

/** The service cannot start. The message says what to do and is shown without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';

  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
