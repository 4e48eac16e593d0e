import { type Reader, UnreadableFileError } from './statement-file.js';

export const readCsv: Reader = () => {
  throw new UnreadableFileError('CSV cannot be read yet.');
};
