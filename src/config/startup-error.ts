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

/** A file or folder of DATA_DIR is missing, of somebody else, or on a disk that is full or broken. */
export function cannotUse(path: string, { code, message }: NodeJS.ErrnoException): StartupError {
  const advice = code === 'ENOSPC' ? 'make room on its disk' : 'make it writable for this user';
  return new StartupError(`Cannot use ${path} (${code ?? message}): ${advice}, or set DATA_DIR to another folder.`);
}
