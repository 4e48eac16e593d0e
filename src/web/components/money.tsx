import { amountText, currencyText } from '../../money/currency-text.js';
import { numbersIn } from './number-text.js';

/** An amount with a real minus sign and tabular figures. */
export function moneyText(minor: number, currency: string): string {
  return shown(currencyText(minor, currency));
}

/** The same for an amount whose currency may be unknown. */
export function anyMoneyText(minor: number, currency: string): string {
  return shown(amountText(minor, currency));
}

function shown(text: string): string {
  return numbersIn(text).replace('-', '−');
}

/** The same with a plus sign for increases. */
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
