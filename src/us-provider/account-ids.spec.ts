import { byExternalId } from './account-ids.js';
import type { WireAccount } from './payload.js';

function idsOf(accounts: object[]): string[] {
  return [...byExternalId(accounts as WireAccount[]).keys()];
}

describe('the id of an account within a credential', () => {
  it('is the provider’s own', () => {
    expect(
      idsOf([
        { id: 'Demo Savings', conn_id: 'CON-1' },
        { id: 'ACT-2', conn_id: 'CON-1' },
      ]),
    ).toEqual(['Demo Savings', 'ACT-2']);
  });

  it('names the login where two logins use the same id, for both, so that neither takes the other’s place', () => {
    const [first, second] = [
      { id: '1', conn_id: 'CON-1' },
      { id: '1', conn_id: 'CON-2' },
    ];
    expect(idsOf([first, second])).toEqual(['CON-1/1', 'CON-2/1']);
    expect(idsOf([second, first])).toEqual(['CON-2/1', 'CON-1/1']);
  });

  it('names the institution in the older dialect, by whatever it tells of itself', () => {
    const accounts = [
      { id: '1', org: { domain: 'a.example', name: 'Bank' } },
      { id: '1', org: { name: 'Bank' } },
      { id: '1', org: { id: 'INST-1', domain: 'a.example' } },
    ];
    expect(idsOf(accounts)).toEqual(['a.example/1', 'Bank/1', 'INST-1/1']);
  });

  it('is one for an account that is listed twice', () => {
    const account = { id: '1', conn_id: 'CON-1' } as WireAccount;
    expect(byExternalId([account, account])).toEqual(new Map([['1', [account, account]]]));
  });
});
