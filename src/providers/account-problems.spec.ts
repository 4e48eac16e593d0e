import { unsupportedCurrency } from './account-problems.js';

describe('unsupportedCurrency', () => {
  const told = 'is points, which Tidemark does not support. The balance is shown as the provider reports it';

  it.each([
    [0, '.'],
    [1, '; 1 transaction is left out of this sync.'],
    [2, '; 2 transactions are left out of this sync.'],
  ])('an unsupported currency leaves out %d transactions and says so', (transactions, rest) =>
    expect(unsupportedCurrency('https://bank.example/points', transactions).message).toBe(
      `The currency ${told}${rest}`,
    ),
  );
});
