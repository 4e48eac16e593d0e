import { Webhook } from 'standardwebhooks';
import { Secret } from '../../../kit.js';
import { messageIdOf, newSigningSecret, signatureHeaders } from './signing.js';

/** As the libraries of Standard Webhooks have it. */
const VECTOR = {
  messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  body: '{"test": 2432232314}',
  at: new Date(1_614_265_330_000),
  secrets: [new Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
};

describe('signatureHeaders', () => {
  it('a message has the signature of the Standard Webhooks test vector', () => {
    expect(signatureHeaders(VECTOR)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('the Standard Webhooks library accepts a message with either secret during a rotation, and with no other', () => {
    const [older, newest, other] = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
    const body = '{"type":"webhook.test","data":{"text":"čárka"}}';
    // The library goes by the clock on the wall.
    const headers = signatureHeaders({ messageId: 'msg_1', body, at: new Date(), secrets: [newest, older] });
    for (const secret of [older, newest]) {
      expect(new Webhook(secret.reveal()).verify(body, headers)).toEqual(JSON.parse(body));
    }
    expect(() => new Webhook(other.reveal()).verify(body, headers)).toThrow('No matching signature');
    expect(() => new Webhook(newest.reveal()).verify(`${body} `, headers)).toThrow('No matching signature');
  });

  it('a message has one signature for each secret, newest first', () => {
    const both = signatureHeaders({ ...VECTOR, secrets: [newSigningSecret(), ...VECTOR.secrets] });
    const [newest, older] = both['webhook-signature']!.split(' ');
    expect([newest?.length, older]).toEqual([older?.length, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=']);
  });

  it('a message id is equal for equal parts', () => {
    expect(messageIdOf('endpoint', 'balances.changed', 7)).toBe(messageIdOf('endpoint', 'balances.changed', 7));
    expect(messageIdOf('endpoint', 'balances.changed', 8)).not.toBe(messageIdOf('endpoint', 'balances.changed', 7));
    expect(messageIdOf('endpoint')).toMatch(/^msg_[\da-f]{32}$/);
  });

  it('a signing secret has 32 random bytes', () => {
    const [one, other] = [newSigningSecret().reveal(), newSigningSecret().reveal()];
    expect([one === other, Buffer.from(one.replace('whsec_', ''), 'base64').length]).toEqual([false, 32]);
  });
});
