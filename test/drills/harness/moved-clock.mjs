// Loaded before a service with `--import`: the whole process has a clock that is ahead by CLOCK_AHEAD_MS.
const { now } = Date;
const aheadMs = Number(process.env.CLOCK_AHEAD_MS);
Date.now = () => now() + aheadMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, values, made) => Reflect.construct(target, values.length > 0 ? values : [Date.now()], made),
});
