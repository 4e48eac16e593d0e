import { test } from 'node:test';
import { type PlayedVendor, providerSuite } from 'tidemark/testing/provider';
import { exampleProvider } from './example-provider.js';
import { API_KEY, FakeVendor } from './fake-vendor.js';

/** The suite's words for what the fake does. */
async function play(): Promise<PlayedVendor> {
  const vendor = await FakeVendor.start();
  return {
    descriptor: exampleProvider,
    environment: { EXAMPLE_BASE_URL: vendor.url, EXAMPLE_API_KEY: API_KEY },
    bank: { country: 'DE', name: 'Volksbank', id: 'VOLKSBANK' },
    put: ({ amount, direction, pending = false, pendingId, ...row }) => {
      // The vendor writes money out of an account with a minus.
      const text = `${direction === 'in' ? '' : '-'}${(amount / 100).toFixed(2)}`;
      vendor.put({ ...row, pending, amount: text, ...(pendingId && { pending_id: pendingId }) });
    },
    remove: (id) => vendor.remove(id),
    cursors: vendor.cursors,
    decide: (isGiven) => vendor.decide(isGiven),
    endAccess: () => void (vendor.hasEnded = true),
    push: (isSigned) => vendor.push(isSigned ? API_KEY : 'another key'),
    stop: () => vendor.stop(),
  };
}

for (const { name, run } of await providerSuite(play)) test(name, run);
