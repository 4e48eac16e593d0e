import { Migration } from '@mikro-orm/migrations';
import {
  type CalendarDate,
  DayColumn,
  IdColumn,
  MinorColumn,
  MomentColumn,
  TextColumn,
  UserRow,
  UserTable,
} from '../../../src/kit.js';

/** Deleting an account deletes its goals, and deleting a person deletes the accounts. */
export class Migration20261201000000SavingsGoals extends Migration {
  override up(): void {
    this.addSql(`
      create table savings_goals (
        user_id uuid not null,
        id uuid not null,
        account_id uuid not null,
        name text not null,
        target_minor bigint not null check (target_minor > 0),
        currency text not null,
        due_on date,
        state text not null check (state in ('open', 'reached', 'missed')),
        created_at timestamptz not null,
        primary key (user_id, id),
        foreign key (user_id, account_id) references accounts (user_id, id) on delete cascade
      )`);
    this.addSql(`create index savings_goals_account_idx on savings_goals (user_id, account_id)`);
    this.addSql(`create index savings_goals_open_idx on savings_goals (due_on) where state = 'open'`);
  }
}

export const STATES = ['open', 'reached', 'missed'] as const;

/** An amount that a person wants to have in an account, and by when. */
@UserTable('savings_goals')
export class SavingsGoal extends UserRow<'savings_goals'> {
  @IdColumn()
  accountId: string;

  @TextColumn()
  name: string;

  @MinorColumn()
  targetMinor: number;

  /** The account's when the goal was set. */
  @TextColumn()
  currency: string;

  @DayColumn({ nullable: true })
  dueOn: CalendarDate | null;

  /** `missed`: the day has passed. */
  @TextColumn()
  state: (typeof STATES)[number];

  @MomentColumn()
  createdAt: Date;
}
