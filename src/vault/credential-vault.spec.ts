import { AppSecrets } from '../config/app-secret.js';
import { Secret } from '../config/secret.js';
import { CredentialVault } from './credential-vault.js';

const OLD = new Secret('the old root secret of this install');
const NEW = new Secret('the new root secret of this install');
const credential = new Secret('https://user:pass@bridge.example/simplefin');

describe('the credential vault', () => {
  const vault = new CredentialVault(new AppSecrets([NEW]));
  const sealed = vault.seal(credential, 'alice/1');

  it('opens what it sealed', () => {
    expect(vault.open(sealed, 'alice/1').reveal()).toBe(credential.reveal());
  });

  it('shows nothing of the credential and never seals twice alike', () => {
    expect(sealed).not.toContain('user');
    expect(vault.seal(credential, 'alice/1')).not.toBe(sealed);
  });

  it('does not open for another owner or when damaged', () => {
    expect(() => vault.open(sealed, 'bob/1')).toThrow();
    expect(() => vault.open(sealed.slice(0, -3) + 'AAA', 'alice/1')).toThrow();
  });

  it('does not open what has a shorter tag, which is easier to guess', () => {
    const [version, keyId] = sealed.split('.');
    const short = [version, keyId, Buffer.alloc(4).toString('base64url')].join('.');
    expect(() => vault.open(short, 'alice/1')).toThrow('Invalid authentication tag length: 4');
  });

  it('opens what an older secret sealed as long as that secret is listed', () => {
    const before = new CredentialVault(new AppSecrets([OLD])).seal(credential, 'alice/1');
    const rotated = new CredentialVault(new AppSecrets([NEW, OLD]));
    expect(rotated.open(before, 'alice/1').reveal()).toBe(credential.reveal());
    expect(() => vault.open(before, 'alice/1')).toThrow(/APP_SECRET/);
  });

  it('recognises the same credential through a rotation', () => {
    const [before] = new CredentialVault(new AppSecrets([OLD])).fingerprints(credential);
    expect(new CredentialVault(new AppSecrets([NEW, OLD])).fingerprints(credential)).toContain(before);
    expect(vault.fingerprints(new Secret('another'))[0]).not.toBe(vault.fingerprints(credential)[0]);
  });
});
