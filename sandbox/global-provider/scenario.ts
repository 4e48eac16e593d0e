import type { CalendarDate } from '../../src/platform/time/calendar-date.js';
import type { Household } from '../household.js';
import type { HttpReply, Reply } from '../reply.js';
import type { WireAccountList, WireBalance, WireHoldingList, WireTransactionList } from './body.js';
import type { WireHabits } from './wire.js';

/** A fault or peculiarity of banks: changes to the data and answers of the sandbox. */
export interface Scenario {
  name: string;
  /** One line for a person. */
  plays: string;
  /** Answers instead of the banks' data; `undefined` lets the request through. */
  instead?: (turn: Turn) => Reply | undefined;
  /** Changes the banks' data. */
  household?: (household: Household, turn: Turn) => Household;
  habits?: Partial<WireHabits>;
  /** Each changes one kind of finished body. */
  accounts?: (list: WireAccountList, turn: Turn) => unknown;
  balance?: (body: WireBalance, turn: Turn) => unknown;
  transactions?: (list: WireTransactionList, turn: Turn) => unknown;
  holdings?: (list: WireHoldingList, turn: Turn) => unknown;
  /** Changes the finished answer. */
  reply?: (reply: HttpReply, turn: Turn) => HttpReply;
}

export const CALLS = ['accounts', 'balance', 'transactions', 'holdings'] as const;
export type Call = (typeof CALLS)[number];

/** The state of a client with one key. */
export interface Turn {
  call: Call;
  /** Which account the call is about, counted from 0 in the household; -1 for the list and for unknown accounts. */
  account: number;
  today: CalendarDate;
  /** This request's number, from 1. */
  request: number;
  /**
   * The number of the sync that the request belongs to, from 1. A new one begins when the client requests the list
   * after an account.
   */
  visit: number;
  /** The address of this process, and the target below the sandbox's root. */
  origin: string;
  target: string;
}
