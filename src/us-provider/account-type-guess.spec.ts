import { guessAccountType } from './account-type-guess.js';
import type { WireAccount } from './payload.js';

describe('the guess of an account type', () => {
  it('comes from the name where nothing else is told', () => {
    expect(guessAccountType({ name: 'Student Loan' } as WireAccount, false)).toBe('loan');
    expect(guessAccountType({ name: null } as WireAccount, false)).toBeNull();
  });

  it.each([
    ['-612.45', '4387.55', 'credit_card'],
    ['-612.45', '0.00', null],
    ['-612.45', undefined, null],
    ['612.45', '612.45', null],
  ])('a balance of %j beside %j available is %j', (balance, available, type) => {
    expect(guessAccountType({ name: 'Freedom', balance, 'available-balance': available } as WireAccount, false)).toBe(
      type,
    );
  });

  it('trusts securities more than a name, since any account may be called savings', () => {
    expect(guessAccountType({ name: 'SimpleFIN Savings' } as WireAccount, true)).toBe('investment');
    expect(guessAccountType({ name: 'Crypto' } as WireAccount, true)).toBe('crypto');
  });
});
