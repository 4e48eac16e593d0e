import type { Abstract, Type } from '@nestjs/common';
import type { z } from 'zod';
import type { BankProvider } from './bank-provider.js';
import type { RequestLimit } from './request-budget.js';

/** Longer than anything that a provider gives a person to paste. */
export const MAX_SECRET_CHARS = 4096;

/** What a person gets from a provider and pastes here to connect. */
export interface SecretDescription {
  /** Member of the API's request bodies that carries it, `setup_token`. */
  readonly field: string;
  /** Label of its form field, “Setup token”. */
  readonly label: string;
  /** Within a sentence, “setup token”. */
  readonly inSentence: string;
  /** For the API document. */
  readonly description: string;
  readonly example: string;
}

/** What the pages say about a provider. */
export interface ProviderTexts {
  readonly title: string;
  /** Which banks it reaches, and how. */
  readonly reach: string;
  /** How to get the secret, step by step. */
  readonly steps: readonly string[];
  readonly site: { readonly href: string; readonly text: string };
}

/** Everything the service needs to know about a provider before it asks it anything. `src/providers.ts` lists them. */
export interface ProviderDescriptor<Environment extends z.ZodObject = z.ZodObject> {
  /** On the API, in the database and in the log, `us_provider`. Never changes. */
  readonly name: string;
  /** Nest module that exports {@link implementation}. */
  readonly module: Type;
  readonly implementation: Type<BankProvider> | Abstract<BankProvider>;
  readonly secret: SecretDescription;
  readonly texts: ProviderTexts;
  /** Name of a connection that nobody has named; numbered from a person's second one on. */
  readonly defaultConnectionName: string;
  /** Requests that one credential may make; `null`: the provider publishes no limit. */
  readonly requestLimit: RequestLimit | null;
  /** How many days before the last known one a later sync asks for again. */
  readonly overlapDays: number;
  /** Schema of its environment variables, with defaults; their names begin with the provider's. */
  readonly environment: Environment;
  /** An address of the provider that shows whether this machine reaches it; `null`: nobody can know beforehand. */
  probeUrl?(settings: z.output<Environment>): string | null;
  /** Contexts of loggers whose lines are written whatever LOG_LEVEL says. */
  openLogContexts?(settings: z.output<Environment>): readonly string[];
}
