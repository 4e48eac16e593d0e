import type { Abstract, Type } from '@nestjs/common';
import type { z } from 'zod';
import type { TidemarkModule } from '../platform/module.js';
import type { BankProvider, RequestLimit } from './bank-provider.js';

/** Longer than any secret of a provider. */
export const MAX_SECRET_CHARS = 4096;

/** The secret that a person gets from a provider and pastes to connect. */
export interface SecretDescription {
  /** Its member in request bodies, `setup_token`. */
  readonly field: string;
  /** Label of its field on the pages, “Setup token”. */
  readonly label: string;
  /** Within a sentence, “setup token”. */
  readonly inSentence: string;
  /** For the API document. */
  readonly description: string;
  readonly example: string;
}

/** What the pages say about a provider. */
interface ProviderTexts {
  readonly title: string;
  /** How people know it, “SimpleFIN”. */
  readonly name: string;
  /** Which banks it reaches, and how. */
  readonly reach: string;
  /** How to get the secret, step by step. */
  readonly steps: readonly string[];
  readonly site: { readonly href: string; readonly text: string };
}

/** Describes a provider to the service. `src/providers/installed.ts` lists all descriptors. */
export interface ProviderDescriptor<Environment extends z.ZodObject = z.ZodObject> {
  /** On the API, in the database and in the log, `us_provider`. Never changes. */
  readonly name: string;
  /** Nest module that exports {@link implementation}. */
  readonly module: Type;
  readonly implementation: Type<BankProvider> | Abstract<BankProvider>;
  readonly secret: SecretDescription;
  readonly texts: ProviderTexts;
  /** Default name of a connection; from a person's second one on with a number. */
  readonly defaultConnectionName: string;
  /** Requests that one credential may make; `null`: the provider publishes no limit. */
  readonly requestLimit: RequestLimit | null;
  /** How many stored days a later sync fetches again. */
  readonly overlapDays: number;
  /** Schema of its environment variables, with defaults; their names begin with the provider's. */
  readonly environment: Environment;
  /** An address that shows whether this machine can reach the provider; `null`: it depends on the secret. */
  probeUrl?(settings: z.output<Environment>): string | null;
  /** Contexts of loggers that write at any LOG_LEVEL. */
  openLogContexts?(settings: z.output<Environment>): readonly string[];
}

const made = new WeakSet<ProviderDescriptor>();

/**
 * Describes a provider in a package of its own.
 *
 * @example export const myProvider = defineProvider({ name: 'my_provider', module: MyProviderModule, … });
 */
export function defineProvider<Environment extends z.ZodObject>(
  descriptor: ProviderDescriptor<Environment>,
): ProviderDescriptor {
  const provider = descriptor as unknown as ProviderDescriptor;
  made.add(provider);
  return provider;
}

/** Nest injects by class: what was made with a second copy of Tidemark cannot be used with this one. */
export function isProviderOfThisKit(provider: ProviderDescriptor): boolean {
  return made.has(provider);
}

/** What an installation lists in its `tidemark.config.mjs`. */
export interface Configuration {
  readonly modules?: readonly TidemarkModule[];
  readonly providers?: readonly ProviderDescriptor[];
}

/**
 * Lists the modules and providers from packages that an installation has, in its `tidemark.config.mjs`.
 *
 * @example export default defineConfig({ modules: [budgets], providers: [myProvider] });
 */
export function defineConfig(configuration: Configuration): Configuration {
  return configuration;
}
