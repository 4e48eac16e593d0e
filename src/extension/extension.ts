import type { EntityClass } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Type } from '@nestjs/common';

/** A module that an installation adds to Tidemark, with tables of its own. docs/adding-a-module.md builds one. */
export interface Extension {
  /** Its Nest module. Its routes are guarded and documented like all others. */
  readonly module: Type;
  /** The group of its routes in the API document: the text of `@ApiTags`, and a sentence about it. */
  readonly tag: { readonly name: string; readonly description: string };
  /** Of its tables. */
  readonly entities: readonly EntityClass<object>[];
  /** Named like Tidemark's, by the time when they were written; they run in this order among Tidemark's own. */
  readonly migrations: readonly MigrationClass[];
  /** What a person takes along of its tables; each has a column `user_id`. */
  readonly personalData: readonly PersonalTable[];
  /**
   * Moves what the tables have of an account that is merged into another, in the transaction that then deletes it. Missing:
   * those rows are deleted with it.
   */
  readonly mergeAccounts?: (em: EntityManager, merged: MergedAccounts) => Promise<unknown>;
}

export interface MergedAccounts {
  readonly userId: string;
  readonly fromId: string;
  readonly intoId: string;
}

export type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration;

export interface PersonalTable {
  /** What each line of the export is called. */
  readonly type: string;
  readonly table: string;
  /** Columns that are nobody's to read: hashes and credentials. */
  readonly without?: readonly string[];
}

/** The extensions of this installation, injectable. */
export class InstalledExtensions {
  constructor(readonly all: readonly Extension[]) {}
}
