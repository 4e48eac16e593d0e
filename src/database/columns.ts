import { BigIntType, EntityName, type EntityOptions, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

// An entity says each of its columns once. A column is named after its property: `created_at` after `createdAt`.

interface ColumnOptions {
  nullable?: boolean;
  /** Is part of the key of the table. */
  primary?: boolean;
  /** Not in what is written of the entity: a hash, a sealed secret. */
  hidden?: boolean;
  /** In SQL. */
  defaultRaw?: string;
}

/** As a number: amounts and counts of ours are safe integers. */
class SafeInteger extends BigIntType<'number'> {
  constructor() {
    super('number');
  }
}

function column(type: string | typeof SafeInteger) {
  return ({ primary = false, ...options }: ColumnOptions = {}): PropertyDecorator => {
    const declare = primary ? PrimaryKey({ type, ...options }) : Property({ type, ...options });
    return (target, name) => declare(target, name as string);
  };
}

/** @example @IdColumn() accountId: string; */
export const IdColumn = column('uuid');
/** @example @TextColumn() name: string; */
export const TextColumn = column('text');
/** @example @FlagColumn() hidden: boolean; */
export const FlagColumn = column('boolean');
/** @example @CountColumn() attempts: number; */
export const CountColumn = column('integer');
/** A whole number beyond two thousand millions. @example @BigColumn({ primary: true }) number: number; */
export const BigColumn = column(SafeInteger);
/** An amount in the minor unit of its currency. @example @MinorColumn() targetMinor: number; */
export const MinorColumn = BigColumn;
/** A day as text. @example @DayColumn({ nullable: true }) dueOn: CalendarDate | null; */
export const DayColumn = column('date');
/** @example @MomentColumn() createdAt: Date; */
export const MomentColumn = column('datetime');
/** @example @JsonColumn() choices: Choices; */
export const JsonColumn = column('json');
/** @example @BytesColumn() content: Buffer; */
export const BytesColumn = column('blob');

/** What the rows of a person have: its id before their own, so that they are stored together. */
export abstract class UserRow<Table extends string> {
  /** Of the typed queries. */
  [EntityName]?: Table;
  [PrimaryKeyProp]?: ['userId', 'id'];

  @IdColumn({ primary: true })
  userId: string;

  @IdColumn({ primary: true })
  id: string;
}

/**
 * An entity whose rows belong to a person.
 *
 * @param repository that `MikroOrmModule.forFeature` gives; none: MikroORM's own
 * @example
 *   @UserTable('goals')
 *   export class Goal extends UserRow<'goals'> {}
 */
export function UserTable<const Table extends string>(
  tableName: Table,
  repository?: EntityOptions<new () => object>['repository'],
): (entity: new () => UserRow<Table>) => void {
  const declare: (entity: new () => object) => void = Entity({ tableName, ...(repository && { repository }) });
  return declare;
}
