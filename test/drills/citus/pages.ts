import { type Answer, ask } from '../harness/http.js';
import type { Person } from '../harness/person.js';

/** The pages of somebody with an account. */
export async function pagesOf(person: Person): Promise<Answer[]> {
  const [id] = await person.accountIds();
  const paths = ['/', '/connections', `/accounts/${id}`, '/transactions', '/keys', '/settings', '/settings/webhooks'];
  return Promise.all(paths.map((path) => ask(person.url + path, { headers: { Cookie: person.cookie } })));
}
