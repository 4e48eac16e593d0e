import { readFileSync } from 'node:fs';

interface Component {
  name: string;
  version: string;
  purl: string;
}

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>;

/** Checkers of the tests that a library brings along, too. */
const BROUGHT_ALONG = ['ajv', 'ajv-formats'];

describe('license notices of the build', () => {
  it('the bill of materials lists every library and no build tool', () => {
    const sbom = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8'));
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'tidemark' } } });
    const listed = (sbom.components as Component[]).map(({ name, version }) => `${name}@${version}`);
    const namesOf = (packages: Record<string, string>) =>
      Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    expect(namesOf(dependencies).filter((name) => !listed.includes(name))).toEqual([]);
    const tools = namesOf(devDependencies).filter((name) => listed.includes(name));
    expect(tools.map((name) => name.split('@')[0])).toEqual(BROUGHT_ALONG);
    // Not only what we name ourselves.
    expect(listed.some((name) => name.startsWith('express@'))).toBe(true);
  });

  it('the notices have the licenses of all libraries', () => {
    const notices = readFileSync('dist/THIRD_PARTY_NOTICES.txt', 'utf8');
    for (const [name, version] of Object.entries(dependencies)) expect(notices).toContain(`\n${name} ${version} (`);
    expect(notices).toContain('Permission is hereby granted, free of charge');
    expect(notices).toContain('SIL OPEN FONT LICENSE');
  });
});
