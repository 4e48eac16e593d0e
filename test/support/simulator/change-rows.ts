import { wholeBetween } from '../../../sandbox/random.js';
import type { Bank, RowFaults } from './bank.js';
import { DAY_MS, type Movement, type TrueAccount } from './truth.js';

type Change = (account: TrueAccount, movement: Movement, at: number, random: () => number, faults: RowFaults) => void;

/** Days and amounts that a bank changes after it has listed them, each row at most once. */
export function changeRows(account: TrueAccount, { rows }: Bank, random: () => number): void {
  const changes: [share: number, change: Change][] = [
    [rows.redated, redate],
    [rows.withdrawn, withdraw],
    [rows.amended, amend],
    [rows.replaced, replace],
    [rows.merged, merge],
    [rows.split, split],
    [rows.doubled, double],
  ];
  if (changes.every(([share]) => share === 0)) return;
  for (const [index, movement] of [...account.movements].entries()) {
    let left = random();
    const change = changes.find(([share]) => (left -= share) < 0)?.[1];
    if (!change || !isPlain(movement)) continue;
    movement.key = `row ${index}`;
    const days = wholeBetween(random, ...rows.afterDays) + random();
    change(account, movement, movement.listedAt + days * DAY_MS, random, rows);
  }
}

function isPlain({ isTrade, listedAt, amountMinor, unlistedAt, statedUntil }: Movement): boolean {
  return !isTrade && listedAt < Infinity && amountMinor !== 0 && unlistedAt === undefined && statedUntil === undefined;
}

const redate: Change = ({ movements }, movement, at, random, { keepsId }) => {
  const shift = (random() < 0.5 ? -1 : 1) * wholeBetween(random, 1, 3);
  const day = Math.min(movement.day + shift, dayOf(at));
  const key = keepsId ? movement.key : `${movement.key} again`;
  movement.statedUntil = at;
  movements.push({ ...booked(at, movement.amountMinor), day, key });
};

const withdraw: Change = (_account, movement, at) => {
  movement.statedUntil = at;
};

const amend: Change = ({ movements, extraRows }, movement, at, random, { amendedPercent }) => {
  const { day, key, amountMinor } = movement;
  const moreMinor = Math.round((amountMinor * wholeBetween(random, ...amendedPercent)) / 100);
  if (moreMinor === 0) return;
  const difference: Movement = { ...booked(at, moreMinor), day, listedAt: Infinity };
  movements.push(difference);
  movement.unlistedAt = at;
  const both = [movement, difference];
  extraRows.push({ key: key!, day, amountMinor: amountMinor + moreMinor, from: at, until: Infinity, movements: both });
};

const replace: Change = ({ movements }, movement, at, random) => {
  const amountMinor = Math.round(movement.amountMinor * (0.95 + 0.1 * random()));
  const day = Math.min(movement.day + wholeBetween(random, 0, 2), dayOf(at));
  movement.statedUntil = at;
  movements.push({ ...booked(at, amountMinor), day, key: `${movement.key} final` });
};

const merge: Change = ({ movements, extraRows }, movement, at) => {
  const isOther = (other: Movement) => other !== movement && other.day === movement.day && isPlain(other);
  const other = movements.find((one) => isOther(one) && one.listedAt < at);
  if (!other) return;
  movement.unlistedAt = other.unlistedAt = at;
  const row = { key: `${movement.key} merged`, day: movement.day, from: at, until: Infinity };
  const amountMinor = movement.amountMinor + other.amountMinor;
  extraRows.push({ ...row, amountMinor, movements: [movement, other] });
};

const split: Change = ({ extraRows }, movement, at, random) => {
  const part = Math.round(movement.amountMinor * (0.2 + 0.6 * random()));
  movement.unlistedAt = at;
  [part, movement.amountMinor - part].forEach((amountMinor, index) => {
    const key = `${movement.key} part ${index}`;
    extraRows.push({ key, day: movement.day, amountMinor, from: at, until: Infinity, movements: [movement] });
  });
};

const double: Change = ({ extraRows }, { key, day, amountMinor, listedAt }, _at, random, { doubledAfterDays }) => {
  const from = listedAt + wholeBetween(random, ...doubledAfterDays) * DAY_MS;
  extraRows.push({ key: `${key} double`, day, amountMinor, from, until: Infinity, movements: [] });
};

/** A booking of the moment at which the books change. */
function booked(at: number, amountMinor: number): Movement {
  return { day: dayOf(at), bookedAt: at, listedAt: at, amountMinor, isTrade: false, statedFrom: at };
}

function dayOf(moment: number): number {
  return Math.floor(moment / DAY_MS);
}
