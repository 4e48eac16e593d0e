import { json, type HttpReply } from '../reply.js';

/** An error in the provider's form. */
export function refusal(status: number, error: string, message: string, headers?: Record<string, string>): HttpReply {
  return { ...json({ error, message }, status), ...(headers ? { headers } : {}) };
}

export const NO_KEY = refusal(401, 'Unauthorized', 'No key was sent.');
export const WRONG_KEY = refusal(403, 'Forbidden', 'This key is not accepted.');
export const NO_SUCH_ACCOUNT = refusal(404, 'Not Found', 'No such account for this key.');
export const NO_SUCH_ROUTE = refusal(404, 'Not Found', 'No such route.');
export const NO_DATE = refusal(400, 'Bad Request', 'Dates are written YYYY-MM-DD.');
export const NO_HOLDINGS = refusal(501, 'Not Implemented', 'Holdings are not available for this account.');
