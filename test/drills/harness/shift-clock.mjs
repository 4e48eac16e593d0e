// Loaded by --import: the clock of this process is off by CLOCK_SHIFT_MS, until SIGUSR2 sets it right.

const Real = Date;
let shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0);
process.on('SIGUSR2', () => (shiftMs = 0));

const now = () => Real.now() + shiftMs;

// What it makes are dates as all others, which libraries look at closely.
globalThis.Date = new Proxy(Real, {
  construct: (_, given) => Reflect.construct(Real, given.length === 0 ? [now()] : given),
  apply: () => new Real(now()).toString(),
  get: (_, name) => (name === 'now' ? now : Reflect.get(Real, name)),
});
