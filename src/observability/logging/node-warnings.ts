import type { AppLogger } from './logger.js';

/** Logs what Node.js warns of, which it would print as plain text between the lines of the log. */
export function logNodeWarnings(log: AppLogger): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => {
    if (name === 'DeprecationWarning') log.debug(message, 'Node.js');
    else log.warn(`${name}: ${message}`, 'Node.js');
  });
}
