// Quantities: plain decimal numbers as text, since they have more digits than a number can hold.

/** The plain decimal number of a text that may leave out the zero before the point (".5"); `null` for anything else. */
export function plainDecimal(text: string | null | undefined): string | null {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)(\d{0,20})(?:\.(\d{0,20}))?$/.exec(text?.trim() ?? '') ?? [];
  if (whole + fraction === '') return null;
  return `${sign === '-' ? '-' : ''}${whole || '0'}${fraction && `.${fraction}`}`;
}

/** A hundredth of a plain decimal number, exact. */
export function hundredthOf(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  const figures = whole.padStart(3, '0');
  return `${sign}${figures.slice(0, -2)}.${figures.slice(-2)}${fraction}`;
}

/** The sum of two plain decimal numbers, exact, whatever the number of decimals. */
export function sumDecimals(a: string, b: string): string {
  const decimals = Math.max(...[a, b].map((text) => text.split('.')[1]?.length ?? 0));
  const scaled = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(decimals, '0'));
  };
  const sum = scaled(a) + scaled(b);
  const figures = String(sum < 0n ? -sum : sum).padStart(decimals + 1, '0');
  const text = decimals === 0 ? figures : `${figures.slice(0, -decimals)}.${figures.slice(-decimals)}`;
  return sum < 0n ? `-${text}` : text;
}
