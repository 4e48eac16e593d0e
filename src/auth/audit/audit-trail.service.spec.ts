import { describeDevice } from './audit-trail.service.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('describeDevice', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
        'Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    ['curl/8.5.0', 'curl 8.5.0'],
    ['python-requests/2.31.0 (sensor)', 'python-requests 2.31.0'],
    ['node', 'node'],
    ['<script>', null],
    ['', null],
    [undefined, null],
  ])('the user agent %j is described as the device %j', (userAgent, device) =>
    expect(describeDevice(userAgent)).toBe(device),
  );

  it('the description of a device has at most 60 characters', () => {
    expect(describeDevice('x'.repeat(100_000))).toHaveLength(60);
  });
});
