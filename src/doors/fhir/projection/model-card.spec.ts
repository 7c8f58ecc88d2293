import { createHash } from 'node:crypto';
import type { Resource } from '@medplum/fhirtypes';
import type { InstalledModel } from '../../../core/analysis/model-catalogue.js';
import { ProfileLibrary } from '../../../standards/fhir/profiles/profile-library.js';
import { R4Definitions } from '../../../standards/fhir/definitions/r4-definitions.js';
import { ResourceValidator } from '../../../standards/fhir/validation/resource-validator.js';
import { toDevice } from './minimal-resources.js';
import { toModelCard } from './model-card.js';

const definitions = new R4Definitions();
const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));
const faultsOf = (resource: Resource) =>
  validator.validate(resource).issues.filter(({ severity }) => severity !== 'information');

const NOW = '2026-11-22T08:00:00.000Z';
const MODEL: InstalledModel = {
  name: 'wound-segmentation-fast',
  version: '4.1.2',
  sha256: 'ab'.repeat(32),
  researchOnly: true,
  task: 'wound-segmentation',
  variant: 'fast',
  active: true,
  licence: 'Research and evaluation only.',
  metrics: { dice: 0.88 },
  card: '# Wound segmentation\n',
  cardIsWhole: true,
};
const shown = (wish: Partial<InstalledModel>) => {
  const resource = toModelCard({ ...MODEL, ...wish }, NOW);
  const { attachment } = resource.content![0]!;
  const bytes = Buffer.from(attachment!.data!, 'base64');
  return { resource, attachment: attachment!, bytes, text: bytes.toString('utf8') };
};

describe('the card of a model', () => {
  it.each<[string, Partial<InstalledModel>, string]>([
    ['no card, or none that can be read', { card: null }, 'its maker gave no card'],
    ['an empty card', { card: ' \n' }, 'is empty'],
    ['a card that is cut off, which may lack the limits', { cardIsWhole: false }, 'longer than 64 KiB'],
  ])('of a maker who gave %s is made from the manifest, and says so', (_, wish, reason) => {
    const { text, resource } = shown(wish);
    expect(text).toContain('Made from the manifest of the model');
    expect(text).toContain(reason);
    expect(text).toContain('| Licence | Research and evaluation only. |');
    expect(text).toContain(MODEL.sha256);
    expect(text).toContain('"dice": 0.88');
    expect(faultsOf(resource)).toEqual([]);
  });

  it('takes nothing of a manifest for Markdown or HTML', () => {
    const licence = '<script>alert(1)</script>\n\n# Cleared | `x` ![i](http://a.example/b)';
    const { text } = shown({ card: null, licence, metrics: { note: '\n```\n<b>' } });
    expect(text.split('\n').find((line) => line.startsWith('| Licence |'))).toBe(
      '| Licence | \\<script\\>alert(1)\\</script\\> \\# Cleared \\| \\`x\\` \\!\\[i\\](http://a.example/b) |',
    );
    expect(text.split('\n').filter((line) => line.startsWith('```'))).toEqual(['```json', '```']);
  });

  it.each<[string, Partial<InstalledModel>]>([
    ['scripts', { card: '<script>alert(1)</script><img src=x onerror=alert(1)>' }],
    ['signs that are no UTF-8', { card: Buffer.from([0x23, 0xff, 0xfe, 0x00, 0xc3]).toString('utf8') }],
    ['nothing but control characters in its manifest', { licence: '\u0000\u0007', name: 'a\u0000b', card: null }],
    ['half a sign in its manifest', { licence: 'free \ud83d', card: null }],
    ['a licence of a megabyte', { licence: 'x '.repeat(500_000) }],
    ['figures of a megabyte', { card: null, metrics: { notes: 'x'.repeat(1_000_000) } }],
  ])('with %s still meets its profile', (_, wish) => {
    const { resource, bytes } = shown(wish);
    expect(faultsOf(resource)).toEqual([]);
    expect(resource.description!.length).toBeLessThanOrEqual(500);
    expect(resource.description).not.toMatch(/[\u0000-\u001f]/);
    expect(bytes.length).toBeLessThan(1_100_000);
  });

  it('has its maker’s bytes, their size and digest', () => {
    const { attachment, bytes, text, resource } = shown({});
    expect(text).toBe(MODEL.card);
    expect(attachment).toMatchObject({
      contentType: 'text/markdown',
      size: bytes.length,
      hash: createHash('sha1').update(bytes).digest('base64'),
      title: 'wound-segmentation-fast 4.1.2',
    });
    expect(resource).toMatchObject({
      status: 'current',
      date: NOW,
      description:
        'Card of the model wound-segmentation-fast 4.1.2 (wound-segmentation). Its licence forbids the use on patients: Research and evaluation only.',
      identifier: [
        { system: 'https://sutura.dev/fhir/sid/model', value: 'wound-segmentation-fast/4.1.2' },
        { system: 'https://sutura.dev/fhir/sid/model-weights', value: MODEL.sha256 },
      ],
    });
    expect(faultsOf(resource)).toEqual([]);
  });

  it('has the codes that AI-ModelCard of the ballot demands, by its own words', () => {
    const system = 'http://hl7.org/fhir/uv/aitransparency/CodeSystem/AImodelCardCS';
    const { resource } = shown({});
    expect(resource.type).toEqual({ coding: [{ system, code: 'AIModelCard', display: 'AI Model-Card' }] });
    expect(resource.category).toEqual([
      { coding: [{ system, code: 'AIInputPrompt', display: 'AI Input Prompt' }] },
      { coding: [{ system, code: 'AImodelCardMarkdownFormat', display: 'Markdown Format' }] },
    ]);
  });

  it('has an id of its own for other weights, of the server’s form', () => {
    const ids = [{}, { sha256: 'cd'.repeat(32) }, { version: '0.6.1' }].map((wish) => shown(wish).resource.id!);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}-model-card$/);
    expect(shown({ card: 'Another wording' }).resource.id).toBe(ids[0]);
  });
});

describe('the Device of a model', () => {
  it('refers to its card, and says what kind of AI it is', () => {
    const card = toModelCard(MODEL, NOW);
    const device = toDevice(MODEL, true, card.id!);
    expect(device.extension).toMatchObject([
      { valueCodeableConcept: { coding: [{ code: 'Deep-Learning-Models' }] } },
      {
        url: 'http://hl7.org/fhir/uv/aitransparency/StructureDefinition/aitransparency.modelCardDescription',
        valueReference: { reference: `DocumentReference/${card.id!}` },
      },
    ]);
    expect(faultsOf(device)).toEqual([]);
    expect(faultsOf(toDevice({ ...MODEL, sha256: null }, false, null))).toEqual([]);
  });

  it('does not meet its profile with something else in place of the card', () => {
    const device = toDevice(MODEL, true, 'x');
    const [kind, card] = device.extension!;
    const withCards = (...cards: object[]) => ({ ...device, extension: [kind, ...cards] }) as Resource;
    for (const bad of [
      withCards({ ...card, valueReference: { reference: 'Patient/1' } }),
      withCards({ ...card, valueReference: undefined, valueString: 'x' }),
      withCards(card!, card!),
    ])
      expect(faultsOf(bad)).not.toEqual([]);
  });
});
