import type { IncomingMessage } from 'node:http';
import type { CalendarDate } from '../../src/platform/time/calendar-date.js';
import { createPage } from '../create-page.js';
import type { HouseholdAccount, Household, HouseholdOn } from '../household.js';
import { requestOrigin } from '../origin.js';
import { json, NOT_FOUND, plain, type HttpReply, type Reply } from '../reply.js';
import { scenarioOfCode } from '../scenario-code.js';
import { API_PATH, freshApiKey, GLOBAL_SANDBOX_PATH, keyOf, sandboxBaseUrl } from './api-key.js';
import { GlobalProviderMemory } from './memory.js';
import { readTransactionsQuery } from './query.js';
import { NO_DATE, NO_HOLDINGS, NO_KEY, NO_SUCH_ACCOUNT, NO_SUCH_ROUTE, WRONG_KEY } from './refusal.js';
import { CALLS, type Call, type Scenario, type Turn } from './scenario.js';
import { SCENARIOS } from './scenarios/scenarios.js';
import { accountListBody, balanceBody, holdingListBody, numberOf, transactionListBody, USUAL_HABITS } from './wire.js';

interface Asked {
  call: Call;
  /** As it stands in the path; empty for the list. */
  accountId: string;
  parameters: URLSearchParams;
}

/** The global provider's server below {@link GLOBAL_SANDBOX_PATH}: plays to each key the scenario it names. */
export class GlobalProviderRoutes {
  readonly #memory = new GlobalProviderMemory();
  readonly #scenarios = new Map(SCENARIOS.map((scenario) => [scenario.name, scenario]));

  constructor(
    private readonly today: () => CalendarDate,
    private readonly household: HouseholdOn,
  ) {}

  answer(request: IncomingMessage, target: string): Reply {
    const origin = requestOrigin(request);
    if (origin === null || !URL.canParse(target, origin)) return plain('Bad request\n', 400);
    const { pathname, searchParams } = new URL(target, origin);
    const [, action, argument = ''] = pathname.split('/');
    if (request.method === 'GET' && action === 'create') {
      return this.#create(searchParams.get('scenario') ?? 'healthy', origin, request.headers.accept ?? '');
    }
    if (request.method === 'POST' && action === 'play') {
      return this.#play(argument, searchParams.get('scenario') ?? '');
    }
    const asked = request.method === 'GET' ? askedFor(pathname, searchParams) : null;
    if (!asked) return NO_SUCH_ROUTE;
    const key = keyOf(request.headers);
    if (key === null) return NO_KEY;
    const scenario = this.#playing(key);
    return scenario ? this.#perform(scenario, asked, this.#turn(key, asked, { origin, target })) : WRONG_KEY;
  }

  #turn(key: string, { call, accountId }: Asked, where: Pick<Turn, 'origin' | 'target'>): Turn {
    const today = this.today();
    const account = this.household(today).accounts.findIndex(({ id }) => String(numberOf(id)) === accountId);
    return { call, account, today, ...this.#memory.turn(key, call), ...where };
  }

  #perform(scenario: Scenario, asked: Asked, turn: Turn): Reply {
    const instead = scenario.instead?.(turn);
    if (instead !== undefined) return instead;
    const usual = this.household(turn.today);
    const reply = play(scenario, scenario.household?.(usual, turn) ?? usual, asked, turn);
    return scenario.reply?.(reply, turn) ?? reply;
  }

  #create(name: string, origin: string, accept: string): Reply {
    const scenario = this.#scenarios.get(name);
    if (!scenario) return json({ error: 'no such scenario', scenarios: [...this.#scenarios.keys()] }, 404);
    return createPage(
      {
        scenario,
        title: 'Sandbox of the global provider',
        path: `${GLOBAL_SANDBOX_PATH}/create`,
        secret: { name: 'api_key', text: freshApiKey(name), words: 'API key' },
        more: { base_url: sandboxBaseUrl(origin) },
        wantsHtml: accept.includes('text/html'),
      },
      SCENARIOS,
    );
  }

  #play(key: string, name: string): Reply {
    if (!this.#playing(key) || !this.#scenarios.has(name)) return NOT_FOUND;
    this.#memory.play(key, name);
    return json({ api_key: key, scenario: name });
  }

  #playing(key: string): Scenario | undefined {
    return this.#scenarios.get(this.#memory.scenarioOf(key) ?? scenarioOfCode(key) ?? '');
  }
}

/** `/api/v1/accounts` or `/api/v1/accounts/{id}/{call}`. */
function askedFor(pathname: string, parameters: URLSearchParams): Asked | null {
  if (pathname === `${API_PATH}/accounts`) return { call: 'accounts', accountId: '', parameters };
  const [, accountId = '', name] = new RegExp(`^${API_PATH}/accounts/([^/]+)/([a-z]+)$`).exec(pathname) ?? [];
  const call = CALLS.find((one) => one === name && one !== 'accounts');
  return call ? { call, accountId, parameters } : null;
}

function play(scenario: Scenario, household: Household, { call, accountId, parameters }: Asked, turn: Turn): HttpReply {
  if (call === 'accounts') {
    const list = accountListBody(household);
    return json(scenario.accounts?.(list, turn) ?? list);
  }
  const account = household.accounts.find(({ id }) => String(numberOf(id)) === accountId);
  if (!account) return NO_SUCH_ACCOUNT;
  if (call === 'balance') {
    const body = balanceBody(account);
    return json(scenario.balance?.(body, turn) ?? body);
  }
  return call === 'transactions'
    ? transactions(scenario, account, parameters, turn)
    : holdings(scenario, account, household, turn);
}

function transactions(
  scenario: Scenario,
  account: HouseholdAccount,
  parameters: URLSearchParams,
  turn: Turn,
): HttpReply {
  const query = readTransactionsQuery(parameters);
  if (!query) return NO_DATE;
  const list = transactionListBody(account, query, { ...USUAL_HABITS, ...scenario.habits });
  return json(scenario.transactions?.(list, turn) ?? list);
}

function holdings(scenario: Scenario, account: HouseholdAccount, household: Household, turn: Turn): HttpReply {
  const list = holdingListBody(account, household);
  return list === null ? NO_HOLDINGS : json(scenario.holdings?.(list, turn) ?? list);
}
