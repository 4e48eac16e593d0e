import { type CheckedAnswer, type Contract, contractOf } from './contract.js';

/** Served to programs: everything that the document is about. */
const DOCUMENTED = /^\/(api|health|metrics)(\/|$)/;

/** Holds an answer against the document of the service that gave it; does nothing where it is none of ours. */
export async function checkContract(method: string, url: string, answer: CheckedAnswer): Promise<void> {
  const { origin, pathname } = new URL(url);
  if (!DOCUMENTED.test(pathname)) return;
  (await contractAt(origin))?.check(method, pathname, answer);
}

const contracts = new Map<string, Promise<Contract | null>>();

/** `null` where there is no document: at a provider's, or where a server has metrics only. */
function contractAt(origin: string): Promise<Contract | null> {
  let contract = contracts.get(origin);
  if (!contract) contracts.set(origin, (contract = readContract(origin)));
  return contract;
}

async function readContract(origin: string): Promise<Contract | null> {
  const response = await fetch(`${origin}/openapi.json`).catch(() => null);
  const isJson = response?.headers.get('content-type')?.startsWith('application/json');
  return response?.ok && isJson ? contractOf(await response.text()) : null;
}
