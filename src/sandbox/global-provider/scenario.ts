import type { CalendarDate } from '../../time/calendar-date.js';
import type { Household } from '../household.js';
import type { HttpReply, Reply } from '../reply.js';
import type { WireAccountList, WireBalance, WireHoldingList, WireTransactionList } from './body.js';
import type { WireHabits } from './wire.js';

/** A fault, or a habit of banks, that the sandbox plays: what is changed on the way from the banks to the client. */
export interface Scenario {
  name: string;
  /** One line for a person. */
  plays: string;
  /** Answers instead of the banks' data; `undefined` lets the request through. */
  instead?: (turn: Turn) => Reply | undefined;
  /** Changes what the banks know. */
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

/** Where a client stands with one key. */
export interface Turn {
  call: Call;
  /** Which account the call is about, counted from 0 in the household; -1 for the list and for unknown accounts. */
  account: number;
  today: CalendarDate;
  /** This request's number, from 1. */
  request: number;
  /**
   * Which sync this request seems to belong to, from 1: a new one begins when the client asks for the list after it
   * asked for an account.
   */
  visit: number;
  /** The address of this process, and what was asked for below the sandbox's root. */
  origin: string;
  target: string;
}
