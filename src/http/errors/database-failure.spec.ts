import { databaseFailure, isDatabaseAway } from './database-failure.js';

const withCode = (code: string, more: object = {}) => Object.assign(new Error('failed'), { code, ...more });

describe('databaseFailure', () => {
  it.each([
    ['08006', 'unavailable', 5],
    ['08P01', 'unavailable', 5],
    ['25006', 'unavailable', 30],
    ['25P03', 'unavailable', 5],
    ['40001', 'unavailable', 1],
    ['40P01', 'unavailable', 1],
    ['53000', 'unavailable', 5],
    ['53100', 'unavailable', 60],
    ['53200', 'unavailable', 60],
    ['53300', 'unavailable', 5],
    ['55P03', 'unavailable', 5],
    ['57P01', 'unavailable', 5],
    ['57P02', 'unavailable', 5],
    ['57P03', 'unavailable', 5],
    ['57P05', 'unavailable', 5],
    ['ECONNREFUSED', 'unavailable', 5],
    ['EPIPE', 'unavailable', 5],
    ['22021', 'validation_failed', undefined],
    ['22P05', 'validation_failed', undefined],
  ])('the database error code %s is reported as %s', (code, expected, retryAfterSeconds) => {
    const failure = databaseFailure(withCode(code));
    expect(failure).toMatchObject({ code: expected });
    expect(failure?.retryAfterSeconds).toBe(retryAfterSeconds);
  });

  it.each([
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'failure on connection marked as essential: worker-1:5432',
    'server closed the connection unexpectedly',
    'Client was closed and is not queryable',
    'Client has encountered a connection error and is not queryable',
  ])('the database error message “%s” is reported as unavailable', (message) => {
    expect(databaseFailure(new Error(message))?.code).toBe('unavailable');
  });

  it.each([
    [true, ['08006', '25006', '53100', '53300', '57P01', '57P03', 'ECONNREFUSED']],
    [false, ['25P03', '40P01', '55P03', '42703']],
  ])('isDatabaseAway returns %s for the error codes %j', (isAway, codes) => {
    for (const code of codes) expect([code, isDatabaseAway(withCode(code))]).toEqual([code, isAway]);
  });

  it('a database failure is found in the causes of an error', () => {
    const cause = new Error('inner', { cause: withCode('53300') });
    expect(databaseFailure(new Error('outer', { cause }))?.code).toBe('unavailable');
  });

  it('a missing socket is a database failure, but a missing file is not', () => {
    expect(databaseFailure(withCode('ENOENT', { syscall: 'connect' }))?.code).toBe('unavailable');
    expect(databaseFailure(withCode('ENOENT', { syscall: 'open' }))).toBeNull();
  });

  it.each([
    ['a fault in a statement', withCode('42703')],
    ['a unique violation', withCode('23505')],
    ['a foreign-key violation', withCode('23503')],
    ['a statement timeout', withCode('57014')],
    ['a transaction used after it failed', withCode('25P02')],
    ['a timeout of something else', new Error('the bank did not answer: timeout')],
    ['an error without a code', new Error('boom')],
    ['a thrown string', 'Connection terminated'],
    ['undefined', undefined],
  ])('%s is not reported as a database failure', (_, thrown) => {
    expect(databaseFailure(thrown)).toBeNull();
  });
});
