import type { IncomingMessage } from 'node:http';
import type { CalendarDate } from '../../src/platform/time/calendar-date.js';
import { createPage } from '../create-page.js';
import type { HouseholdOn } from '../household.js';
import { sandboxSetupToken, US_SANDBOX_PATH } from './setup-token.js';
import { accessUrl, credentialsOf, readAuthorization, type Credentials } from './access.js';
import { UsProviderMemory } from './memory.js';
import { readAccountsQuery } from './query.js';
import { requestOrigin } from '../origin.js';
import { json, NOT_FOUND, plain, type Reply } from '../reply.js';
import { freshCode, scenarioOfCode } from '../scenario-code.js';
import { FORBIDDEN, forbidden } from './forbidden.js';
import type { Scenario } from './scenario.js';
import { SCENARIOS } from './scenarios/scenarios.js';
import { accountSet, USUAL_HABITS } from './wire.js';

/**
 * The US provider's server below {@link US_SANDBOX_PATH}: plays to each code's credentials the scenario of the code.
 */
export class UsProviderRoutes {
  readonly #memory = new UsProviderMemory();
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
    switch (`${request.method} ${action}`) {
      case 'POST claim':
        return this.#claim(argument, origin);
      case 'GET info':
        return json({ versions: ['1.0'] });
      case 'GET accounts':
        return this.#accounts(request.headers.authorization, searchParams, `${origin}${US_SANDBOX_PATH}`);
      case 'GET currency':
        return argument === 'globetrot-miles' ? json({ name: 'Globetrot Miles', abbr: 'miles' }) : NOT_FOUND;
      case 'GET create':
        return this.#create(searchParams.get('scenario') ?? 'healthy', origin, request.headers.accept ?? '');
      case 'POST play':
        return this.#play(argument, searchParams.get('scenario') ?? '');
      default:
        return NOT_FOUND;
    }
  }

  #claim(code: string, origin: string): Reply {
    const scenario = this.#scenarios.get(scenarioOfCode(code) ?? '');
    // Spent before the answer leaves: whatever happens on the way, the code never works twice.
    if (!scenario || !this.#memory.spend(code)) return FORBIDDEN;
    const url = accessUrl(`${origin}${US_SANDBOX_PATH}`, this.#credentials(code, scenario));
    return scenario.claim ? scenario.claim({ accessUrl: url, origin }) : plain(`${url}\n`);
  }

  #accounts(authorization: string | undefined, parameters: URLSearchParams, root: string): Reply {
    const query = readAccountsQuery(parameters);
    if (query === null) return plain('Unsupported version\n', 400);
    const code = this.#authenticate(authorization);
    if (code === null) return forbidden(query.version);
    const today = this.today();
    const turn = this.#memory.turn(code, query, today);
    const scenario = this.#playing(code);
    const instead = scenario?.instead?.(turn);
    if (instead !== undefined) return instead;

    const householdOn: HouseholdOn = (day) => {
      const household = this.household(day);
      return scenario?.household?.(household, turn) ?? household;
    };
    const troubles = scenario?.troubles?.(householdOn(today), turn) ?? [];
    const asked = { ...query, version: scenario?.onlyVersion ?? query.version };
    const habits = { ...USUAL_HABITS, ...scenario?.habits };
    const set = accountSet({ today, householdOn, troubles }, asked, root, habits);
    const reply = json(scenario?.body ? scenario.body(set, turn) : set);
    this.#memory.gave(code, query, today);
    return scenario?.reply?.(reply, turn) ?? reply;
  }

  #create(name: string, origin: string, accept: string): Reply {
    const scenario = this.#scenarios.get(name);
    if (!scenario) return json({ error: 'no such scenario', scenarios: [...this.#scenarios.keys()] }, 404);
    const code = freshCode();
    const token = sandboxSetupToken(origin, name, code);
    return createPage(
      {
        scenario,
        title: 'Sandbox of the US provider',
        path: `${US_SANDBOX_PATH}/create`,
        secret: { name: 'setup_token', text: token, words: 'Setup token, good for one claim,' },
        more: { code: `${name}-${code}` },
        wantsHtml: accept.includes('text/html'),
      },
      SCENARIOS,
    );
  }

  #play(code: string, name: string): Reply {
    if (!this.#scenarios.has(scenarioOfCode(code) ?? '') || !this.#scenarios.has(name)) return NOT_FOUND;
    this.#memory.play(code, name);
    return json({ code, scenario: name });
  }

  /** The code whose credentials were sent. */
  #authenticate(authorization: string | undefined): string | null {
    const given = readAuthorization(authorization);
    const scenario = given && this.#scenarios.get(scenarioOfCode(given.code) ?? '');
    if (!scenario) return null;
    return this.#credentials(given.code, scenario).password === given.password ? given.code : null;
  }

  #credentials(code: string, { password = (usual) => usual }: Scenario): Credentials {
    const usual = credentialsOf(code);
    return { user: usual.user, password: password(usual.password) };
  }

  #playing(code: string): Scenario | undefined {
    return this.#scenarios.get(this.#memory.scenarioOf(code) ?? scenarioOfCode(code) ?? '');
  }
}
