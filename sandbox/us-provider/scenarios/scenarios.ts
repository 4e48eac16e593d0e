import { html } from '../../reply.js';
import { fails, TRANSPORT_FAULTS } from '../../transport-faults.js';
import type { Scenario } from '../scenario.js';
import { BANK_TROUBLES } from './bank-troubles.js';
import { CLAIM_FAULTS } from './claim-faults.js';
import { DIALECTS } from './dialects.js';
import { IDENTITIES } from './identities.js';
import { LOADS } from './loads.js';
import { ODD_VALUES } from './odd-values.js';
import { PENDING_LIVES } from './pending-lives.js';
import { REFUSALS } from './refusals.js';
import { TIMINGS } from './timings.js';

/** Everything the sandbox's US provider can play, by the name that a setup token carries. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'healthy', plays: 'Six accounts at five banks; nothing goes wrong.' },
  ...CLAIM_FAULTS,
  ...TRANSPORT_FAULTS,
  fails('error-500', 'Every request meets an error page.', html(500, 'Internal Server Error')),
  ...REFUSALS,
  ...BANK_TROUBLES,
  ...TIMINGS,
  ...PENDING_LIVES,
  ...IDENTITIES,
  ...ODD_VALUES,
  ...DIALECTS,
  ...LOADS,
];
