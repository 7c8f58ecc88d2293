import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ApiClient, expectStatus } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { buildHapi, hapi, LACKS_MAVEN, type Validated } from './hapi-program.js';
import { describeWith } from './toolchain.js';

const DEFINITIONS = [resolve(__dirname, '../../fhir-profiles'), join(__dirname, 'nictiz')].join(',');
const SNOMED = 'http://snomed.info/sct';
const SUBJECT = { patientId: 'NL-1', patientSystem: 'urn:oid:2.999.1', woundId: 'W' };
/** Errors that are the ground's own, and why. */
const NOT_OURS: readonly RegExp[] = [
  // What a Dutch patient needs is not in the folder; the profiles take any Patient, too.
  /Unable to resolve the profile reference '.*nl-core-Patient'/,
  // Sites are all of SNOMED CT below "body structure", which is not there offline.
  /cannot apply filters|value set 'LocatieCodelijsten'/,
];

describeWith(LACKS_MAVEN)('a wound in the profiles of the Dutch standard', () => {
  let gateway: Gateway;
  let folder: string;
  const validated: Validated[] = [];

  beforeAll(async () => {
    await buildHapi();
    folder = await mkdtemp(join(tmpdir(), 'sutura-nl-core-'));
    gateway = await startGateway();
    const { key } = await gateway.createKey(await gateway.createOrganization());
    const client = new ApiClient(gateway.baseUrl, key);
    const heel = { system: SNOMED, code: '84607009', display: 'Skin of heel' };
    const cases = [
      [{ ...SUBJECT, woundId: 'bare' }, {}],
      [
        { ...SUBJECT, woundId: 'whole', bodySite: heel, laterality: 'left' },
        { depthCm: 0.8, exudate: 'moderate', edges: ['rolled', 'macerated'] },
      ],
      [
        { ...SUBJECT, woundId: 'pressure', woundType: { display: 'pressure injury' } },
        { exudate: 'none', edges: ['attached'], stage: { system: 'pressure', value: '3' } },
      ],
    ] as const;
    for (const [at, [subject, clinicianObservations]] of cases.entries()) {
      const photo = await drawWoundPhoto({ seed: at + 1 });
      const job = await client.analyse(photo, { subject, clinicianObservations, calibration: { mmPerPixel: 0.2 } });
      const [, id] = /reports\/([0-9a-f-]{36})/.exec(JSON.stringify(job['links']))!;
      await eventually(
        'the report at the FHIR door',
        async () => (await client.request('GET', `/fhir/DiagnosticReport/${id}`)).status === 200,
      );
      const profile = encodeURIComponent('http://nictiz.nl/fhir/StructureDefinition/nl-core-Wound');
      const answer = await client.request('GET', `/fhir/DiagnosticReport/${id}/$wound-view?_profile=${profile}`);
      const bundle = expectStatus(200, answer).body;
      await writeFile(join(folder, `${subject.woundId}.json`), JSON.stringify(bundle));
      // What must not pass: the validator sees the standard's required codes.
      const broken = JSON.stringify(bundle)
        .replaceAll('"DROOG"', '"VERY-DRY"')
        .replaceAll('"225552003"', '"225552009"');
      await writeFile(join(folder, `${subject.woundId}-broken.json`), broken);
    }
    validated.push(...(await hapi<Validated>('validate', '--definitions', DEFINITIONS, folder)));
  }, 900_000);
  afterAll(async () => {
    await gateway?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const errorsOf = (isBroken: boolean) =>
    validated
      .filter(({ file }) => file.endsWith('-broken.json') === isBroken)
      .map(({ file, thrown, issues = [] }) => [
        ...(thrown === undefined ? [] : [`${file}: ${thrown}`]),
        ...issues
          .filter(({ severity, message }) => severity === 'error' && !NOT_OURS.some((known) => known.test(message)))
          .map(({ location, message }) => `${file} ${location}: ${message}`),
      ]);

  it('has an error in each that was broken by hand', () => {
    for (const errors of errorsOf(true)) expect(errors).not.toEqual([]);
    expect(errorsOf(true)).toHaveLength(3);
    expect(errorsOf(true).flat().join('\n')).toContain('WondVochtigheidCodelijst');
  });

  it('has none as it is answered', () => {
    expect(errorsOf(false)).toEqual([[], [], []]);
  });
});
