import { requireNode } from './version.js';

describe('requireNode', () => {
  it.each(['20.20.2', '22.9.0', '22.16.99'])('Node.js %s is rejected in one sentence', (version) => {
    expect(() => requireNode(version)).toThrow(`Tidemark needs Node.js 22.17 or newer, and this is ${version}`);
  });

  it.each(['22.17.0', '22.100.0', '24.0.0', process.versions.node])('Node.js %s is accepted', (version) => {
    expect(() => requireNode(version)).not.toThrow();
  });
});
