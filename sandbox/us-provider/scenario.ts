import type { CalendarDate } from '../../src/platform/time/calendar-date.js';
import type { Household } from '../household.js';
import type { AccountSet, Trouble } from './body.js';
import type { AccountsQuery } from './query.js';
import type { HttpReply, Reply } from '../reply.js';
import type { WireHabits } from './wire.js';

/** A fault or peculiarity of banks: changes to the data and answers of the sandbox. */
export interface Scenario {
  name: string;
  /** One line for a person. */
  plays: string;
  /** Replaces the answer to a claim, which spends the code anyway. */
  claim?: (claim: Claim) => Reply;
  /** Changes the password that belongs to a code. */
  password?: (usual: string) => string;
  /** Answers instead of the account set; `undefined` lets the request through. */
  instead?: (turn: Turn) => Reply | undefined;
  /** Changes the banks' data. */
  household?: (household: Household, turn: Turn) => Household;
  troubles?: (household: Household, turn: Turn) => Trouble[];
  habits?: Partial<WireHabits>;
  /** The only version this server knows. */
  onlyVersion?: 1 | 2;
  /** Changes the finished account set. */
  body?: (set: AccountSet, turn: Turn) => unknown;
  /** Changes the finished answer. */
  reply?: (reply: HttpReply, turn: Turn) => HttpReply;
}

export interface Claim {
  accessUrl: string;
  /** The address of this process. */
  origin: string;
}

/** The state of a client with one credential. */
export interface Turn {
  query: AccountsQuery;
  today: CalendarDate;
  /** This request's number, from 1. */
  request: number;
  /**
   * The number of the sync that the request belongs to, from 1. A new one begins when the client requests balances or
   * the newest window again.
   */
  visit: number;
  /** Requests on `today`; those with an `account` filter have a limit and count of their own. */
  requestsToday: number;
  /** The most requests of any day so far. */
  busiestDay: number;
}
