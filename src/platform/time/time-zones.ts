/** Outdated names in the platform's list, with their present names. */
const RENAMED: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** The timezone by its present name. */
export function presentName(zone: string): string {
  return RENAMED[zone] ?? zone;
}

/** The one name under which a timezone is stored, however it is spelled; `null`: the platform does not know it. */
export function timeZoneNamed(text: string): string | null {
  // An offset such as +02:00 is no zone, and PostgreSQL reads it with the opposite sign.
  if (/^[+-]/.test(text)) return null;
  try {
    return presentName(new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone);
  } catch {
    return null;
  }
}

/** Formats of one kind, one for each timezone. */
export function formatsByTimeZone(locale: string, options: Intl.DateTimeFormatOptions) {
  // By names in lower case: the zones are few, but not the spellings.
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    const name = timeZone.toLowerCase();
    const known = formats.get(name);
    if (known) return known;
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    formats.set(name, format);
    return format;
  };
}

/** Every timezone by its present name, UTC first. @param current included even if the platform does not list it */
export function offeredTimeZones(current: string): string[] {
  const zones = [current, ...Intl.supportedValuesOf('timeZone')].map(presentName);
  return ['UTC', ...[...new Set(zones)].filter((zone) => zone !== 'UTC').sort()];
}
