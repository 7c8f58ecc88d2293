import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ElementDefinition, StructureDefinition } from '@medplum/fhirtypes';
import { R4Definitions } from '../../src/standards/fhir/definitions/r4-definitions.js';
import { ProfileLibrary } from '../../src/standards/fhir/profiles/profile-library.js';
import { describeWith } from './toolchain.js';
import { buildHapi, hapi, LACKS_MAVEN } from './hapi-program.js';

const PROFILES = resolve(__dirname, '../../fhir-profiles');
/** What people read. HAPI's generator leaves it out of extensions, which have HL7's here. */
const TEXTS: ReadonlySet<string> = new Set(['short', 'definition', 'comment', 'requirements', 'alias', 'mapping']);
/** It says of `Resource.id` that it is an id, where HL7's definition says a string; and writes an XPath of ext-1 with other quotation marks. */
const ID = /^[A-Z][A-Za-z]+\.id$/;

describeWith(LACKS_MAVEN)("HAPI's snapshots of our profiles", () => {
  it('are the ones that are served, but for texts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'snapshots-'));
    try {
      await buildHapi();
      await hapi('snapshots', PROFILES, folder);
      const library = new ProfileLibrary(new R4Definitions());
      const names = await readdir(folder);
      expect(names.length).toBe(library.resources('StructureDefinition').length);
      for (const name of names) {
        const theirs = JSON.parse(await readFile(join(folder, name), 'utf8')) as StructureDefinition;
        const ours = library.byCanonical(theirs.url) as StructureDefinition;
        expect({ name, elements: ours.snapshot!.element.map(ruleOf) }).toEqual({
          name,
          elements: theirs.snapshot!.element.map(ruleOf),
        });
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 600_000);
});

/** What an element demands. */
function ruleOf(element: ElementDefinition): object {
  const { constraint, condition: _, type, slicing, ...more } = element;
  return {
    ...Object.fromEntries(Object.entries(more).filter(([key]) => !TEXTS.has(key))),
    slicing: slicing === undefined ? undefined : { ...slicing, description: undefined },
    type: ID.test(element.id!) ? undefined : type,
    constraint: constraint?.map(({ xpath: __, ...each }) => each),
  };
}
