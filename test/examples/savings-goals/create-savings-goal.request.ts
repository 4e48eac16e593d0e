import { type CalendarDate, GivenDay, GivenId, GivenMinor, GivenName } from '../../../src/kit.js';

export class CreateSavingsGoalRequest {
  @GivenId({ description: 'One of your accounts.' })
  account_id: string;

  @GivenName({ example: 'Roof' })
  name: string;

  @GivenMinor({ min: 1, example: 500000, description: 'In the minor unit of the account’s currency.' })
  target_cents: number;

  @GivenDay({ optional: true, nullable: true, example: '2027-06-30' })
  due_on?: CalendarDate | null;
}
