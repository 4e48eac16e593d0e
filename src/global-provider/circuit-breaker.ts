import type { ProviderError } from '../bank-provider/provider-error.js';
import type { AccountDraft } from './account-draft.js';
import { institutionOf } from './mapper.js';

/**
 * How many failures without an answer in between stop the requests: of one institution those for it, of so many
 * institutions all. A request that ended in a network error was attempted four times, and an account is asked for nothing
 * more after a rate limit.
 */
const FAILURES_TO_STOP = { network: 3, rate_limited: 2 } as const;

interface Failure {
  institution: string;
  error: ProviderError;
}

/** Stops the requests for an account, an institution or all of them. One broken bank does not stop the others. */
export class CircuitBreaker {
  /** Since the last answer. */
  #failures: Failure[] = [];
  readonly #stopped = new Map<string, ProviderError>();
  #stoppedAll: ProviderError | null = null;

  /** The error after which nothing more is requested of an account; `null`: there was none. */
  stopOf(draft: AccountDraft): ProviderError | null {
    const limit = draft.failures.find(({ error }) => error.kind === 'rate_limited')?.error;
    return this.#stoppedAll ?? this.#stopped.get(keyOf(draft)) ?? limit ?? null;
  }

  recordAnswer(): void {
    this.#failures = [];
  }

  recordFailure(draft: AccountDraft, error: ProviderError): void {
    const { kind } = error;
    if (kind !== 'network' && kind !== 'rate_limited') return this.recordAnswer();
    const institution = keyOf(draft);
    this.#failures.push({ institution, error });
    const alike = this.#failures.filter((failure) => failure.error.kind === kind);
    const own = alike.filter((failure) => failure.institution === institution);
    if (own.length >= FAILURES_TO_STOP[kind]) this.#stopped.set(institution, error);
    const institutions = new Set(alike.map((failure) => failure.institution));
    if (institutions.size >= FAILURES_TO_STOP[kind]) this.#stoppedAll = error;
  }
}

/** An account without an institution stands for itself. */
function keyOf({ wire, externalId }: AccountDraft): string {
  return institutionOf(wire) ?? externalId;
}
