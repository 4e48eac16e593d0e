import type { SyncProblem } from '../../sync/runs/sync-run.entity.js';

/** What a person needs to know to connect a provider. */
export interface ProviderWords {
  name: string;
  title: string;
  /** Which banks, and how. */
  reach: string;
  /** What is pasted, as the label of its field, and within a sentence. */
  secret: { label: string; text: string };
  /** Where it comes from, step by step. */
  steps: readonly string[];
  site: { href: string; text: string };
}

export const PROVIDER_WORDS: readonly ProviderWords[] = [
  {
    name: 'us_provider',
    title: 'Banks in the United States',
    reach: 'Through the SimpleFIN Bridge, which costs a little and only ever reads.',
    secret: { label: 'Setup token', text: 'setup token' },
    steps: [
      'Sign in at the Bridge and add your banks there.',
      'Let it make a setup token for a new app: a long line of letters and digits.',
      'Paste it below. It works once: Tidemark exchanges it for read access that nobody else has.',
    ],
    site: { href: 'https://bridge.simplefin.org/simplefin/create', text: 'Open the SimpleFIN Bridge' },
  },
  {
    name: 'global_provider',
    title: 'Banks elsewhere',
    reach: 'Through Lunch Flow, which reaches banks in Europe and many other places.',
    secret: { label: 'API key', text: 'API key' },
    steps: [
      'Sign in at Lunch Flow and connect your banks there.',
      'Add an API destination and copy its API key.',
      'Paste it below. It is stored encrypted and used for reading only.',
    ],
    site: { href: 'https://www.lunchflow.app/', text: 'Open Lunch Flow' },
  },
];

/** `null` for a provider that this version does not know. */
export function titleOf(provider: string): string | null {
  return PROVIDER_WORDS.find(({ name }) => name === provider)?.title ?? null;
}

export function wordsOf(provider: string): ProviderWords {
  return PROVIDER_WORDS.find(({ name }) => name === provider) ?? PROVIDER_WORDS[0]!;
}

/** Whether a problem goes away with a new setup token or API key only. */
export function needsNewSecret(kind: SyncProblem['kind']): boolean {
  return kind === 'token_rejected' || kind === 'access_revoked';
}
