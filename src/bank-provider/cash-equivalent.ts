const CASH_NAMES =
  /\b(money (market|mkt)|(cash|bank|deposit) sweep|sweep (program|deposit|account)|settlement fund|cash reserves?|(insured )?bank deposit program)\b/i;
/** US money-market funds have five-letter tickers that end in XX. */
const CASH_TICKER = /^[A-Z]{3}XX$/;

/** Whether a holding is a money-market fund or a sweep: which counts as cash. */
export function isCashEquivalent(symbol: string | null, name: string): boolean {
  return CASH_NAMES.test(name) || CASH_TICKER.test(symbol ?? '');
}
