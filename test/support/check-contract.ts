import type { OpenAPIObject } from '@nestjs/swagger';
import { type CheckedAnswer, type Contract, contractOf } from './contract.js';

/** Served to programs: everything that the document is about. */
const DOCUMENTED = /^\/(api|health|metrics)(\/|$)/;

/** Holds an answer against the document of the service that gave it; does nothing where it is none of ours. */
export async function checkContract(method: string, url: string, answer: CheckedAnswer): Promise<void> {
  const { origin, pathname } = new URL(url);
  if (!DOCUMENTED.test(pathname)) return;
  (await contractAt(origin)())?.check(method, pathname, answer);
}

type FindContract = () => Contract | null | Promise<Contract | null>;

const contracts = new Map<string, FindContract>();

/** Holds the answers of a service that a test has started itself against a contract, without a request for its document. */
export function agreeOn(contract: () => Contract, origin: string): void {
  let agreed: Contract | undefined;
  contracts.set(origin, () => (agreed ??= contract()));
}

/** `null` where there is no document: at a provider's, or where a server has metrics only. */
function contractAt(origin: string): FindContract {
  let find = contracts.get(origin);
  if (!find) {
    const contract = readContract(origin);
    contracts.set(origin, (find = () => contract));
  }
  return find;
}

async function readContract(origin: string): Promise<Contract | null> {
  const response = await fetch(`${origin}/openapi.json`).catch(() => null);
  const isJson = response?.headers.get('content-type')?.startsWith('application/json');
  if (!response?.ok || !isJson) return null;
  const text = await response.text();
  return contractOf(text, () => JSON.parse(text) as OpenAPIObject);
}
