import { type Drill, judge } from './drill.js';
import { type Answer, postForm, tally } from './harness/http.js';
import { PASSWORD, type Person } from './harness/person.js';
import { startTwoInstances, type TwoInstances } from './harness/two-instances.js';

const NUL = '\u0000';
const DEPTH = 20_000;
const DELETIONS = 12;
const DELETE_ROUNDS = 3;

export const drill: Drill = {
  name: 'malformed-input',
  expectation:
    'U+0000 in any text, JSON nested 20,000 deep and a sync asked for while its connection is deleted are refused, never answered with 500.',
  sentence: 7,
  isFast: false,
  async run(context) {
    const scene = await startTwoInstances(context);
    const bank = await context.startBank(1);
    const connection = await scene.person.connect(bank.setupToken('owner'));
    const nul = await sendNul(scene, connection);
    const deep = await sendDeep(scene.person, connection);
    const deleting: Answer[] = [];
    for (let turn = 0; turn < DELETIONS; turn++) {
      const id = await scene.person.connect(bank.setupToken(`owner-${turn}`));
      deleting.push(...(await syncWhileDeleting(scene, id)));
    }
    const figure = `U+0000: ${tally(nul)}; deep JSON: ${tally(deep)}; sync while deleting: ${tally(deleting)}`;
    return judge(figure, {
      'U+0000 is refused': nul.every(({ status }) => status >= 400 && status < 500),
      'deep JSON is refused': deep.every(({ status }) => status >= 400 && status < 500),
      'deleting ends well': deleting.every(({ status }) => status > 0 && status < 500),
    });
  },
};

async function sendNul({ here, person }: TwoInstances, connection: string): Promise<Answer[]> {
  const [account] = await person.accountIds();
  const text = `a${NUL}b`;
  const { html } = await person.visitor.get('/settings');
  const form_token = /name="form_token" value="([^"]+)"/.exec(html)![1]!;
  const page = (path: string, fields: Record<string, string>) =>
    postForm(here.url + path, { ...fields, form_token }, { Cookie: person.cookie });
  const path = `/api/v1/connections/${connection}`;
  return Promise.all([
    postForm(`${here.url}/sign-in`, { email: `${text}@example.com`, password: PASSWORD }),
    postForm(`${here.url}/sign-in`, { email: person.email, password: text }),
    postForm(`${here.url}/sign-up`, { email: `${text}@example.com`, password: PASSWORD }),
    postForm(`${here.url}/sign-up`, { email: 'new@example.com', password: PASSWORD, invitation: text }),
    person.get('/api/v1/transactions?search=a%00b'),
    person.get('/api/v1/transactions?currency=U%00D'),
    person.send('PATCH', `/api/v1/accounts/${account}`, { name: text }),
    person.send('PATCH', path, { name: text }),
    person.send('PUT', `${path}/credentials`, { setup_token: text }),
    person.send('POST', '/api/v1/connections', { provider: 'us_provider', setup_token: 'x', name: text }),
    person.send('POST', '/api/v1/connections', { provider: text, setup_token: 'x' }),
    person.get(`/accounts/${account}?search=a%00b`, { headers: { Cookie: person.cookie } }),
    page('/keys', { name: text, preset: 'read' }),
    page(`/accounts/${account}`, { name: text }),
    page(`/connections/${connection}`, { name: text }),
    page('/settings/time-zone', { time_zone: text }),
  ]);
}

async function sendDeep(person: Person, connection: string): Promise<Answer[]> {
  const [account] = await person.accountIds();
  const lists = '['.repeat(DEPTH) + ']'.repeat(DEPTH);
  const objects = '{"a":'.repeat(DEPTH) + '1' + '}'.repeat(DEPTH);
  const bodies = [lists, objects, `{"name":${lists}}`, `{"name":${objects}}`];
  const answers = [];
  for (const body of bodies) {
    answers.push(await person.send('POST', '/api/v1/connections', body));
    answers.push(await person.send('PATCH', `/api/v1/accounts/${account}`, body));
    answers.push(await person.send('PUT', `/api/v1/connections/${connection}/credentials`, body));
  }
  return answers;
}

function syncWhileDeleting({ there, person }: TwoInstances, id: string): Promise<Answer[]> {
  const asked = Array.from({ length: DELETE_ROUNDS }, () => [
    person.syncNow(id),
    person.send('DELETE', `/api/v1/connections/${id}`, undefined),
    person.syncNow(id),
    person.elsewhere(there).syncNow(id),
  ]);
  return Promise.all(asked.flat());
}
