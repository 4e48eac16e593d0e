import { AppSecrets } from '../config/app-secret.js';
import { Secret } from '../config/secret.js';
import { CredentialVault } from './credential-vault.js';

const OLD = new Secret('the old root secret of this install');
const NEW = new Secret('the new root secret of this install');
const credential = new Secret('https://user:pass@bridge.example/simplefin');

describe('CredentialVault', () => {
  const vault = new CredentialVault(new AppSecrets([NEW]));
  const sealed = vault.seal(credential, 'alice/1');

  it('the vault opens the credential that it sealed', () => {
    expect(vault.open(sealed, 'alice/1').reveal()).toBe(credential.reveal());
  });

  it('a sealed credential shows nothing of its content and is different each time', () => {
    expect(sealed).not.toContain('user');
    expect(vault.seal(credential, 'alice/1')).not.toBe(sealed);
  });

  it('the vault does not open a credential of another owner or a damaged one', () => {
    expect(() => vault.open(sealed, 'bob/1')).toThrow();
    expect(() => vault.open(sealed.slice(0, -3) + 'AAA', 'alice/1')).toThrow();
  });

  it('the vault does not open a credential with a shorter authentication tag, which is easier to guess', () => {
    const [version, keyId] = sealed.split('.');
    const short = [version, keyId, Buffer.alloc(4).toString('base64url')].join('.');
    expect(() => vault.open(short, 'alice/1')).toThrow('Invalid authentication tag length: 4');
  });

  it('the vault opens a credential sealed with an older secret while that secret is listed', () => {
    const before = new CredentialVault(new AppSecrets([OLD])).seal(credential, 'alice/1');
    const rotated = new CredentialVault(new AppSecrets([NEW, OLD]));
    expect(rotated.open(before, 'alice/1').reveal()).toBe(credential.reveal());
    expect(() => vault.open(before, 'alice/1')).toThrow(/APP_SECRET/);
  });

  it('the vault recognises the same credential after a rotation of its secret', () => {
    const [before] = new CredentialVault(new AppSecrets([OLD])).fingerprints(credential);
    expect(new CredentialVault(new AppSecrets([NEW, OLD])).fingerprints(credential)).toContain(before);
    expect(vault.fingerprints(new Secret('another'))[0]).not.toBe(vault.fingerprints(credential)[0]);
  });

  it('the vault recognises a text that it signed, also after a rotation of its secret, and no other text', () => {
    const signature = new CredentialVault(new AppSecrets([OLD])).sign('text');
    const rotated = new CredentialVault(new AppSecrets([NEW, OLD]));
    expect(rotated.hasSigned('text', signature)).toBe(true);
    expect(rotated.hasSigned('another text', signature)).toBe(false);
    expect(vault.hasSigned('text', signature)).toBe(false);
  });
});
