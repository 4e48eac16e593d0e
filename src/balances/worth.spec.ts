import { sampleDays, worthByCurrency } from './worth.js';

const week = { from: '2026-03-01', to: '2026-03-05', step: 1 };
const account = (currency: string, firstDay: string | null, values: number[], latest = values.at(-1) ?? 0) => ({
  accountId: `${currency} ${firstDay}`,
  currency,
  firstDay,
  values,
  latest,
  goesOn: true,
});

describe('net worth', () => {
  it('adds what is owned to what is owed, day by day', () => {
    const [usd] = worthByCurrency(
      [
        account('USD', '2026-03-01', [100, 110, 120, 130, 140]),
        account('USD', '2026-03-01', [-10, -10, -60, -60, -60]),
      ],
      week,
    );
    expect(usd).toMatchObject({ currency: 'USD', accounts: 2, values: [90, 100, 60, 70, 80], latest: 80, change: -10 });
    expect(usd?.days).toEqual(['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05']);
  });

  it('counts an account as its last record says after it, and as its first one says before it', () => {
    const [usd] = worthByCurrency([account('USD', '2026-03-03', [500, 510]), account('USD', null, [], 7)], week);
    expect(usd).toMatchObject({ values: [507, 507, 507, 517, 517], change: 10, beginLater: 1 });
  });

  it('counts an account that is not synced any more until its last record', () => {
    const gone = { ...account('USD', '2026-03-01', [500, 510]), goesOn: false };
    const [usd] = worthByCurrency([gone, account('USD', null, [], 7)], week);
    expect(usd).toMatchObject({ values: [507, 517, 7, 7, 7], latest: 7, change: -500 });
  });

  it('never adds one currency to another', () => {
    const worth = worthByCurrency(
      [account('EUR', null, [], 1), account('USD', null, [], 2), account('USD', null, [], 3)],
      week,
    );
    expect(worth.map(({ currency, latest }) => [currency, latest])).toEqual([
      ['USD', 5],
      ['EUR', 1],
    ]);
  });

  it('looks at so many days only, and at the last one always', () => {
    expect(sampleDays('2016-01-01', '2026-01-01', 400)).toEqual({ from: '2016-01-04', to: '2026-01-01', step: 10 });
    expect(sampleDays('2026-03-01', '2026-03-05', 400)).toEqual(week);
    expect(sampleDays('2026-03-05', '2026-03-05', 400)).toEqual({ from: '2026-03-05', to: '2026-03-05', step: 1 });
  });
});
