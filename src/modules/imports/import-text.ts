import { numberText } from '../../kit.js';
import type { ImportAccount } from './list-imports.service.js';

/** A sentence on what a file does in an account, or would do. */
interface Effect {
  of: 'added' | 'paired' | 'left_out' | 'doubtful' | 'pending' | 'balances';
  text: string;
}

/** What the page and the command say of a file. */
export function effectsOf({ id, counts, balances }: ImportAccount): Effect[] {
  const { added, replacing, paired, left_out: leftOut, doubtful, pending } = counts;
  const already = replacing > 0 ? `, and ${counted(replacing, 'is', 'are')} there already` : '';
  return [
    { of: 'added', count: 1, text: `${numberText(added)} ${id === null ? 'would be added' : 'added'}${already}` },
    {
      of: 'paired',
      count: paired,
      text: `${counted(paired, 'is', 'are')} known from the bank or a later file, and ${paired === 1 ? 'counts' : 'count'} once`,
    },
    {
      of: 'left_out',
      count: leftOut,
      text: `${counted(leftOut, 'does', 'do')} not count: the bank or a later file lists ${leftOut === 1 ? 'its day without it' : 'their days without them'}`,
    },
    {
      of: 'doubtful',
      count: doubtful,
      text: `${counted(doubtful, 'is', 'are')} of nearly the amount of another transaction: look at ${doubtful === 1 ? 'it' : 'them'} afterwards`,
    },
    { of: 'pending', count: pending, text: `${numberText(pending ?? 0)} pending, not imported` },
    { of: 'balances', count: balances.stated, text: balancesText(balances) },
  ].flatMap(({ count, ...effect }) => (count ? (effect as Effect) : []));
}

function balancesText({ stated, agreeing, differing }: ImportAccount['balances']): string {
  const text = counted(stated, 'balance', 'balances');
  if (agreeing === null || differing === null) return text;
  const first = stated - agreeing - differing;
  const parts = [
    ...(agreeing > 0 ? [`${counted(agreeing, 'agrees', 'agree')} with the transactions and the other balances`] : []),
    ...(differing > 0
      ? [`${counted(differing, 'differs', 'differ')} from the transactions and the other balances`]
      : []),
    ...(first > 0 ? [`${counted(first, 'is of a day', 'are of days')} of which nothing else is known`] : []),
  ];
  return `${text}: ${parts.join(', ')}`;
}

export function rowsText(count: number): string {
  return counted(count, 'transaction', 'transactions');
}

/** What a file takes out of the history that earlier ones have brought. */
export function supersededText(count: number): string {
  return `${rowsText(count)} of earlier files would count no longer, since this file has their days and not them`;
}

function counted(count: number | null, one: string, many: string): string {
  return `${numberText(count ?? 0)} ${count === 1 ? one : many}`;
}
