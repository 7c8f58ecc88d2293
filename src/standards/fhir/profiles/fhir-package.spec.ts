import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StructureDefinition } from '@medplum/fhirtypes';
import { R4Definitions } from '../definitions/r4-definitions.js';
import { packageFiles } from './fhir-package.js';
import { ProfileLibrary } from './profile-library.js';
import { packTar } from './tar-archive.js';

const make = () => packageFiles(new ProfileLibrary(new R4Definitions()));
const files = make();
const read = <T>(path: string) => JSON.parse(files.get(path)!.toString('utf8')) as T;

describe('the FHIR package', () => {
  it('refuses a path that an archive cannot hold', () => {
    expect(() => packTar(new Map([['a'.repeat(101), Buffer.alloc(0)]]))).toThrow('too long');
  });

  it('is the same from the same sources', () => {
    expect(packTar(make()).equals(packTar(files))).toBe(true);
  });

  it('names itself, its FHIR version and what it stands on', () => {
    expect(read('package/package.json')).toMatchObject({
      name: 'dev.sutura.fhir',
      version: '1.1.0',
      fhirVersions: ['4.0.1'],
      dependencies: { 'hl7.fhir.r4.core': '4.0.1', 'hl7.fhir.uv.aitransparency': '1.0.0-ballot' },
    });
  });

  it('lists each of its files, and has a snapshot in each StructureDefinition', () => {
    const index = read<{ files: { filename: string; resourceType: string; url: string }[] }>('package/.index.json');
    expect(index.files.map(({ filename }) => `package/${filename}`)).toEqual(
      [...files.keys()].filter((path) => /^package\/[A-Z]/.test(path)),
    );
    const definitions = index.files.filter(({ resourceType }) => resourceType === 'StructureDefinition');
    expect(definitions.length).toBe(27);
    for (const { filename } of definitions)
      expect(read<StructureDefinition>(`package/${filename}`).snapshot!.element.length).toBeGreaterThan(3);
  });

  it('is an archive that tar reads', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sutura-package-'));
    try {
      writeFileSync(join(folder, 'package.tar'), packTar(files));
      execFileSync('tar', ['-xf', 'package.tar'], { cwd: folder });
      for (const [path, bytes] of files) expect(readFileSync(join(folder, path)).equals(bytes)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
