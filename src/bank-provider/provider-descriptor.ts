import type { Abstract, Type } from '@nestjs/common';
import type { BankProvider } from './bank-provider.js';
import type { RequestLimit } from './request-budget.js';

/** Everything the service needs to know about a provider before it asks it anything. `src/providers.ts` lists them. */
export interface ProviderDescriptor {
  /** On the API, in the database and in the log, e.g. `us_provider`. Never changes. */
  readonly name: string;
  /** Nest module that exports {@link implementation}. */
  readonly module: Type;
  readonly implementation: Type<BankProvider> | Abstract<BankProvider>;
  /** Requests that one credential may make; `null`: the provider publishes no limit. */
  readonly requestLimit: RequestLimit | null;
  /** How many days before the last known one a later sync asks for again. */
  readonly overlapDays: number;
}
