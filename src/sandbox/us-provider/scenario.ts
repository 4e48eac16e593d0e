import type { CalendarDate } from '../../time/calendar-date.js';
import type { Household } from '../household.js';
import type { AccountSet, Trouble } from './body.js';
import type { AccountsQuery } from './query.js';
import type { HttpReply, Reply } from '../reply.js';
import type { WireHabits } from './wire.js';

/** A fault, or a habit of banks, that the sandbox plays: what is changed on the way from the banks to the client. */
export interface Scenario {
  name: string;
  /** One line for a person. */
  plays: string;
  /** What the claim answers instead of the access URL. The code is spent all the same. */
  claim?: (claim: Claim) => Reply;
  /** Changes the password that belongs to a code. */
  password?: (usual: string) => string;
  /** Answers instead of the account set; `undefined` lets the request through. */
  instead?: (turn: Turn) => Reply | undefined;
  /** Changes what the banks know. */
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

/** Where a client stands with one credential. */
export interface Turn {
  query: AccountsQuery;
  today: CalendarDate;
  /** This request's number, from 1. */
  request: number;
  /**
   * Which sync this request seems to belong to, from 1: a new one begins when the client asks again for something it
   * was already given, be it today's balances or the newest window.
   */
  visit: number;
  /** Requests on `today`; those with an `account` filter are counted apart, having an allowance of their own. */
  requestsToday: number;
  /** The most requests of any day so far. */
  busiestDay: number;
}
