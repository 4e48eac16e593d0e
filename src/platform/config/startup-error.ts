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

/** A file or folder is missing, of somebody else, or on a disk that is full or broken. @param variable that names it */
export function cannotUse(path: string, { code, message }: NodeJS.ErrnoException, variable = 'DATA_DIR'): StartupError {
  const advice = code === 'ENOSPC' ? 'make room on its disk' : 'make it writable for this user';
  const sentence = `Cannot use ${path} (${code ?? message}): ${advice}, or set ${variable} to another folder.`;
  return new StartupError(sentence, EXIT_CONFIG);
}
