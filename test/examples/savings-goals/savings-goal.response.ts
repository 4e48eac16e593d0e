import { ApiProperty } from '@nestjs/swagger';
import { currencyText, Pagination } from '../../../src/kit.js';
import type { SavingsGoalRow } from './savings-goals.repository.js';

export class SavingsGoalResponse {
  @ApiProperty({ format: 'uuid', example: '5b1f3a52-8f4e-4c3c-9a5e-6d1f0a2b3c4d' })
  id: string;

  @ApiProperty({ format: 'uuid', example: '9c2e6d0a-1b7f-4f5a-8c3d-2e4f6a8b0c1d' })
  account_id: string;

  @ApiProperty({ example: 'Roof' })
  name: string;

  @ApiProperty({ example: 'EUR', description: 'The account’s currency when the goal was set.' })
  currency: string;

  @ApiProperty({ example: '€5,000.00' })
  target: string;

  @ApiProperty({ type: 'integer', example: 500000 })
  target_cents: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 175000,
    description: 'What the newest balance lacks; 0: reached. `null`: no balance in this currency is known.',
  })
  missing_cents: number | null;

  @ApiProperty({ type: String, format: 'date', nullable: true, example: '2027-06-30' })
  due_on: string | null;
}

export class SavingsGoalCreated {
  @ApiProperty({ format: 'uuid', example: '5b1f3a52-8f4e-4c3c-9a5e-6d1f0a2b3c4d' })
  id: string;
}

export class SavingsGoalCollection {
  @ApiProperty({ type: [SavingsGoalResponse] })
  savings_goals: SavingsGoalResponse[];

  @ApiProperty({ type: Pagination })
  pagination: Pagination;
}

export function toSavingsGoalResponse(row: SavingsGoalRow): SavingsGoalResponse {
  const { targetMinor, balanceMinor } = row;
  return {
    id: row.id,
    account_id: row.accountId,
    name: row.name,
    currency: row.currency,
    target: currencyText(targetMinor, row.currency),
    target_cents: targetMinor,
    missing_cents: balanceMinor === null ? null : Math.max(0, targetMinor - balanceMinor),
    due_on: row.dueOn,
  };
}
