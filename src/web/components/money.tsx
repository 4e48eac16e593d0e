import { currencyText } from '../../money/currency-text.js';

/** An amount with a real minus sign; figures of one column stand under each other. */
export function moneyText(minor: number, currency: string): string {
  return currencyText(minor, currency).replace('-', '−');
}

/** The same with a plus sign where something grew. */
export function changeText(minor: number, currency: string): string {
  return `${minor > 0 ? '+' : ''}${moneyText(minor, currency)}`;
}

interface MoneyProps {
  minor: number | null;
  currency: string;
  /** Shows a plus sign too. */
  change?: boolean;
}

export function Money({ minor, currency, change = false }: MoneyProps) {
  if (minor === null) return <span class="quiet">Not known yet</span>;
  return <span class="money">{change ? changeText(minor, currency) : moneyText(minor, currency)}</span>;
}
