import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { z } from 'zod';
import { BankProvider, type BankSnapshot } from './bank-provider.js';
import type { ProviderDescriptor } from './provider-descriptor.js';
import { ProviderRegistry, ProviderRegistryModule, UnknownProviderError } from './provider-registry.js';
import type { Secret } from '../platform/config/secret.js';

/** A provider in a module of its own, as a vendor's folder has it. */
function vendor(name: string): ProviderDescriptor {
  class Vendor extends BankProvider {
    readonly pendingSwitch = null;
    connect = (pasted: Secret): Promise<Secret> => Promise.resolve(pasted);
    fetchSnapshot = (): Promise<BankSnapshot> =>
      Promise.resolve({ accounts: [], problems: [], retryAfterSeconds: null });
  }
  @Module({ providers: [Vendor], exports: [Vendor] })
  class VendorModule {}
  return {
    name,
    module: VendorModule,
    implementation: Vendor,
    secret: { field: 'key', label: 'Key', inSentence: 'key', description: 'A key.', example: 'k' },
    texts: {
      title: 'Banks',
      name: 'Vendor',
      reach: 'All.',
      steps: [],
      site: { href: 'https://vendor.example', text: 'Open' },
    },
    defaultConnectionName: 'Banks',
    requestLimit: null,
    overlapDays: 5,
    environment: z.object({}),
  };
}

async function registryOf(...descriptors: ProviderDescriptor[]): Promise<ProviderRegistry> {
  const module = await Test.createTestingModule({ imports: [ProviderRegistryModule.forRoot(descriptors)] }).compile();
  return module.get(ProviderRegistry);
}

describe('ProviderRegistry', () => {
  const [first, second] = [vendor('first_provider'), vendor('second_provider')];

  it('the registry has the implementation of each provider in the given order', async () => {
    const { all } = await registryOf(first, second);
    expect(all.map(({ descriptor }) => descriptor)).toEqual([first, second]);
    for (const { descriptor, provider } of all) expect(provider).toBeInstanceOf(descriptor.implementation);
  });

  it('the registry finds a provider by its name', async () => {
    const registry = await registryOf(first, second);
    expect(registry.get('second_provider').descriptor).toBe(second);
    expect(registry.find('second_provider')).toBe(registry.get('second_provider'));
  });

  it('the registry returns null or throws for a provider that is not installed', async () => {
    const registry = await registryOf(first);
    expect(registry.find('second_provider')).toBeNull();
    expect(() => registry.get('second_provider')).toThrow(UnknownProviderError);
  });

  it('the registry rejects two providers with the same name', async () => {
    await expect(registryOf(first, vendor('first_provider'))).rejects.toThrow(/same name/);
  });
});
