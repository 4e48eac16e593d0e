import { CronTime } from 'cron';

const MINUTE_MS = 60_000;

/** The first moment after `after` that a cron expression in UTC names. */
export function nextTick(cron: string, after: Date): Date {
  return new Date(msAfter(new CronTime(cron, 'UTC'), after.getTime()));
}

/** The last moment before `before` that a cron expression in UTC names. The library only looks ahead. */
export function lastTick(cron: string, before: Date): Date {
  const time = new CronTime(cron, 'UTC');
  const end = before.getTime();
  let spanMs = MINUTE_MS;
  let last = msAfter(time, end - spanMs);
  while (last >= end) last = msAfter(time, end - (spanMs *= 2));
  for (let none = end; msAfter(time, last) < end;) {
    const middle = Math.floor((last + none) / 2);
    const tick = msAfter(time, middle);
    if (tick < end) last = tick;
    else none = middle;
  }
  return new Date(last);
}

const msAfter = (time: CronTime, ms: number): number => time.getNextDateFrom(new Date(ms), 'UTC').toMillis();
