import type { OpenAPIObject } from '@nestjs/swagger';
import { type CheckedAnswer, committedContract, Contract } from './contract.js';

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

/** Holds the answers of a service that a test has started itself against docs/openapi.json. */
export function agreeOnCommitted(origin: string): void {
  contracts.set(origin, committedContract);
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
  return response?.ok && isJson ? new Contract((await response.json()) as OpenAPIObject) : null;
}
