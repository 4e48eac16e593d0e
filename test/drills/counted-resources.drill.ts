import { type Drill, judge } from './drill.js';
import { type Answer, areAll, postForm, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { countRows } from './harness/rows.js';

const MAX_KEYS = 50;
const MAX_INVITATIONS = 20;
const MAX_CONNECTIONS = 5;
const MORE = 10;
const AT_ONCE = 4;

/** A few at a time: an instance takes no more banks being connected of one key. */
async function inRounds(times: number, send: (number: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < times; from += AT_ONCE) {
    answers.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => send(from + index)))));
  }
  return answers;
}

export const drill: Drill = {
  name: 'counted-resources',
  expectation:
    'However many keys, invitations and connections one person asks for at once, there are no more than the limit of each, and everything is answered.',
  sentence: 3,
  async run(context) {
    const postgres = await context.startPostgres();
    const limits = { SIGN_UP: 'invitation', MAX_CONNECTIONS_PER_PERSON: String(MAX_CONNECTIONS) };
    const service = await context.startService(postgres, limits);
    const person = await Person.signUp(service);
    const bank = await context.startBank(1);
    // A form is good for one use: each is of a page of its own.
    const send = async (path: string, fields: Record<string, string>) => {
      const { html } = await person.visitor.get('/settings');
      const form_token = /name="form_token" value="([^"]+)"/.exec(html)![1]!;
      return postForm(service.url + path, { ...fields, form_token }, { Cookie: person.cookie });
    };

    const keys = await inRounds(MAX_KEYS + MORE, (number) => send('/keys', { name: `key ${number}`, preset: 'read' }));
    const invitations = await inRounds(MAX_INVITATIONS + MORE, () => send('/settings/invitations', {}));
    const connections = await inRounds(MAX_CONNECTIONS + MORE, (number) =>
      person.send('POST', '/api/v1/connections', {
        ...{ provider: 'us_provider', setup_token: bank.setupToken(`user-${number}`) },
      }),
    );
    const client = await postgres.connect();
    const stored = {
      keys: await countRows(client, 'api_keys'),
      invitations: await countRows(client, 'invitations'),
      connections: await countRows(client, 'connections'),
    };
    const figure =
      `keys: ${tally(keys)}, ${stored.keys} there; invitations: ${tally(invitations)}, ${stored.invitations} there; ` +
      `connections: ${tally(connections)}, ${stored.connections} there`;
    return judge(figure, {
      'every request is answered': areAll([...keys, ...invitations, ...connections], 200, 201, 303, 409, 429),
      'no more keys': stored.keys === MAX_KEYS,
      'no more invitations': stored.invitations === MAX_INVITATIONS,
      'no more connections': stored.connections === MAX_CONNECTIONS,
    });
  },
};
