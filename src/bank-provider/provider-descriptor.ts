import type { Abstract, Type } from '@nestjs/common';
import type { z } from 'zod';
import type { BankProvider } from './bank-provider.js';
import type { RequestLimit } from './request-budget.js';

/** Everything the service needs to know about a provider before it asks it anything. `src/providers.ts` lists them. */
export interface ProviderDescriptor<Environment extends z.ZodObject = z.ZodObject> {
  /** On the API, in the database and in the log, e.g. `us_provider`. Never changes. */
  readonly name: string;
  /** Nest module that exports {@link implementation}. */
  readonly module: Type;
  readonly implementation: Type<BankProvider> | Abstract<BankProvider>;
  /** Requests that one credential may make; `null`: the provider publishes no limit. */
  readonly requestLimit: RequestLimit | null;
  /** How many days before the last known one a later sync asks for again. */
  readonly overlapDays: number;
  /** Schema of its environment variables, with defaults; their names begin with the provider's. */
  readonly environment: Environment;
  /** Contexts of loggers whose lines are written whatever LOG_LEVEL says. */
  openLogContexts?(settings: z.output<Environment>): readonly string[];
}
