import { unsupportedCurrency } from './account-problems.js';

describe('an account in a currency that is not supported', () => {
  const told = 'is in points, which Tidemark does not support. Its balance is shown as the provider reports it';

  it.each([
    [0, '.'],
    [1, '; 1 transaction is left out of this sync.'],
    [2, '; 2 transactions are left out of this sync.'],
  ])('with %d transactions', (transactions, rest) =>
    expect(unsupportedCurrency('https://bank.example/points', transactions).message).toBe(
      `This account ${told}${rest}`,
    ),
  );
});
