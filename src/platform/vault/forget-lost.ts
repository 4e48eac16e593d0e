/** What becomes of what a lost secret has sealed, once it is removed. */
export const WHAT_IS_FORGOTTEN =
  'connections ask for new credentials, second factors are turned off with their recovery codes (these people sign in ' +
  'with the password alone until they set up another), and what lacks its secret now is disabled until it gets another';

/** What the option of commands does. */
export const FORGET_LOST = `--forget-lost removes what none of the secrets can open: ${WHAT_IS_FORGOTTEN}.`;
