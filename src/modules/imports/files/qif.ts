import { type Reader, UnreadableFileError } from './statement-file.js';

export const readQif: Reader = () => {
  throw new UnreadableFileError('QIF cannot be read yet.');
};
