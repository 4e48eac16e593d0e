import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import { type CalendarDate, isCalendarDate } from '../../time/calendar-date.js';
import { numbersIn } from './number-text.js';
import { dayText, momentText } from './when.js';

const MOMENT = /\b\d{4}-\d{2}-\d{2}T[\d:.]+Z/g;
const DAY = /\b\d{4}-\d{2}-\d{2}\b/g;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const LONG_DAY = new RegExp(`\\b(\\d{1,2}) (${MONTHS.join('|')}) (\\d{4})\\b`, 'g');

const PROVIDER = /\b[Tt]he provider\b/g;

/**
 * A sentence of the API, with dates, times and numbers in the format of the pages.
 *
 * @param provider named instead of “the provider”
 */
export function serviceText(text: string, timeZone: string, provider: ProviderDescriptor | null = null): string {
  const local = (provider ? text.replace(PROVIDER, provider.texts.name) : text)
    .replace(MOMENT, (moment) => momentText(moment, timeZone))
    .replace(DAY, (day) => (isCalendarDate(day) ? dayText(day) : day))
    .replace(LONG_DAY, (_, day: string, month: string, year: string) => dayText(dateOf(year, month, day)))
    .replaceAll(/(?<=\w)'(?=\w)/g, '’');
  return numbersIn(local);
}

function dateOf(year: string, month: string, day: string): CalendarDate {
  return `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
}
