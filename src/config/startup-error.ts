/** `EX_CONFIG` of sysexits: starting again, as it is, will not help. */
export const EXIT_CONFIG = 78;

/** The service cannot start, and the message is one sentence that tells a person what to do. Shown without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';

  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
