import { clientNetworkOf } from './client-network.js';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::1', '2001:db8:1::/56'],
  ['2001:0DB8:1:ff:ffff::9', '2001:db8:1::/56'],
  ['2001:db8:1:103::1', '2001:db8:1:100::/56'],
  ['::1', '::/56'],
  ['fe80::1%eth0', 'fe80::/56'],
  ['203.0.113.7:51813', '203.0.113.7'],
  ['[2001:db8:1:2::1]:51813', '2001:db8:1::/56'],
  ['[2001:db8:1:2::1]', '2001:db8:1::/56'],
  ['unknown', 'unknown'],
  [undefined, ''],
])('the network of a client at %s is %s', (ip, network) => expect(clientNetworkOf({ ip })).toBe(network));
