export const MIN_PASSWORD_CHARS = 8;
/** Long enough for any passphrase, short enough that hashing it is no work. */
export const MAX_PASSWORD_CHARS = 256;
