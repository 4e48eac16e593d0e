import { EVENT_TYPES } from '../../platform/module.js';
import { type LoggedPart, planEvents } from './plan-events.js';

const ALL = new Set(EVENT_TYPES);
const at = (revision: number) => new Date(Date.UTC(2026, 2, revision));
const part = (revision: number, kind: LoggedPart['kind'], more: Partial<LoggedPart> = {}): LoggedPart => ({
  ...{ revision, kind, committedAt: at(revision), accountId: null, ids: null, event: null },
  ...more,
});
const told = (parts: readonly LoggedPart[], wanted = ALL) =>
  planEvents(parts, wanted).map(({ type, from, upto, accountIds, subjectId }) =>
    [type, `${from}-${upto}`, ...(accountIds ?? ['any']), ...(subjectId ? [subjectId] : [])].join(' '),
  );

describe('planEvents', () => {
  it('changes of one kind become one message with their accounts and their first and last revision', () => {
    const parts = [
      part(4, 'balances', { accountId: 'a' }),
      part(4, 'transactions', { accountId: 'a' }),
      part(5, 'accounts', { ids: ['a'] }),
      part(6, 'balances', { accountId: 'b' }),
      part(7, 'balances', { accountId: 'a' }),
    ];
    expect(told(parts)).toEqual(['balances.changed 4-7 a b', 'transactions.changed 4-4 a']);
    expect(planEvents(parts, ALL)[0]!.at).toEqual(at(7));
  });

  it('messages keep the order of changes and of the events between them', () => {
    const parts = [
      part(1, 'balances', { accountId: 'a' }),
      part(2, 'syncs', { ids: ['s'], event: 'sync.finished' }),
      part(2, 'connections', { ids: ['c'], event: 'connection.attention_required' }),
      part(3, 'balances', { accountId: 'a' }),
    ];
    expect(told(parts)).toEqual([
      'balances.changed 1-1 a',
      'sync.finished 2-2 any s',
      'connection.attention_required 2-2 any c',
      'balances.changed 3-3 a',
    ]);
  });

  it('an endpoint gets only its event types, and other events do not split its messages', () => {
    const parts = [
      part(1, 'balances', { accountId: 'a' }),
      part(2, 'syncs', { ids: ['s'], event: 'sync.finished' }),
      part(3, 'balances', { accountId: 'a' }),
    ];
    expect(told(parts, new Set(['balances.changed']))).toEqual(['balances.changed 1-3 a']);
    expect(told(parts, new Set(['sync.finished']))).toEqual(['sync.finished 2-2 any s']);
  });

  it('a message names no accounts if they are unknown or more than a hundred', () => {
    expect(told([part(1, 'transactions', { ids: ['t'] }), part(2, 'transactions', { accountId: 'a' })])).toEqual([
      'transactions.changed 1-2 any',
    ]);
    const many = Array.from({ length: 101 }, (_, index) => part(1, 'balances', { accountId: `a${index}` }));
    expect(told(many)).toEqual(['balances.changed 1-1 any']);
  });

  it('running syncs and holdings cause no message', () => {
    expect(told([part(1, 'syncs', { ids: ['s'] }), part(1, 'holdings', { accountId: 'a' })])).toEqual([]);
  });
});
