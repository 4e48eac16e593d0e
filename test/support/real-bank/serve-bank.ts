import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createUsSandbox } from '../../../sandbox/us-provider/server.js';
import type { Household } from '../../../sandbox/household.js';

export interface ServedBank {
  url: string;
  stop: () => void;
}

/** A household behind the US provider's protocol on a free port of this machine. */
export async function serveBank(household: Household): Promise<ServedBank> {
  const server = createServer(createUsSandbox({ today: () => household.today, household: () => household }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
