import type { Bundle, BundleEntry, Patient } from '@medplum/fhirtypes';
import { Outbox } from '../../../../src/core/domain-events/outbox.js';
import type { HeldResolution } from '../../../../src/core/held/held-item.js';
import { HeldService } from '../../../../src/core/held/held.service.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { FhirAudit } from '../../../../src/doors/fhir/audit/fhir-audit.js';
import { TransactionPerformer } from '../../../../src/doors/fhir/bundle/transaction-performer.js';
import { SettledBundles } from '../../../../src/doors/fhir/records/settled-bundles.handler.js';
import { SettledRequests } from '../../../../src/doors/fhir/records/settled-requests.js';
import { PublicAddress } from '../../../../src/platform/http/public-address.js';
import { Logger } from '../../../../src/platform/logging/logger.js';
import { ResourceValidator } from '../../../../src/standards/fhir/validation/resource-validator.js';
import { IntakeGround } from '../../../support/intake-ground.js';
import { takeEvents } from '../../../support/outbox-events.js';

type Person = readonly [family: string, given: string, birthDate: string];

const [NORTH, SOUTH] = ['urn:oid:2.999.1', 'urn:oid:2.999.2'];
const ANNA: Person = ['Meier', 'Anna', '1950-01-01'];
const BERND: Person = ['Schulz', 'Bernd', '1980-12-31'];
const CARLA: Person = ['Klein', 'Carla', '1970-05-05'];

const patient = (value: string, [family, given, birthDate]: Person): Patient => ({
  resourceType: 'Patient',
  identifier: [{ system: NORTH, value }],
  name: [{ family, given: [given] }],
  birthDate,
});
const replaced = (path: string, value: object) => ({
  name: 'operation',
  part: [
    { name: 'type', valueCode: 'replace' },
    { name: 'path', valueString: path },
    { name: 'value', ...value },
  ],
});

describe('a transaction about two records that would each become somebody else', () => {
  let ground: IntakeGround;
  let settled: SettledBundles;
  let caller: Caller;
  let [first, second] = ['', ''];

  beforeAll(async () => {
    ground = await IntakeGround.open();
    settled = new SettledBundles(
      ground.get(SettledRequests),
      ground.get(ResourceValidator),
      ground.get(TransactionPerformer),
      ground.get(FhirAudit),
      ground.get(PublicAddress),
      Logger.create('silent'),
    );
  });
  afterAll(() => ground?.close());
  beforeEach(async () => {
    caller = await ground.createCaller();
    first = (await ground.post(caller, patient('4711', ANNA))).resource.id!;
    second = (await ground.post(caller, patient('4712', CARLA))).resource.id!;
  });

  const waiting = () => {
    const page = { reason: 'identity_conflict', olderThanS: null, after: null, limit: 10 } as const;
    return ground.get(HeldService).list(caller, page);
  };
  const waitsFor = async () => (await waiting()).map(({ came }) => came.patientIds[0]);
  const decide = async (resolution: HeldResolution): Promise<void> => {
    const [item] = await waiting();
    await ground.get(HeldService).resolve(caller, item!.id, resolution, { name: 'test' });
    for (const event of await takeEvents(ground.get(Outbox)))
      if (event.kind === 'held.settled') await settled.handle(event);
  };
  const read = (id: string) => ground.find<Patient>(caller, 'Patient', id);
  /** Those of the other authority. */
  const others = () => ground.count('patients', caller).then((all) => all - 2);
  const putOf = (id: string, value: string, person: Person): BundleEntry => ({
    resource: { ...patient(value, person), id },
    request: { method: 'PUT', url: `Patient/${id}` },
  });
  /** The second record becomes Bernd, of whom nothing but his name and his birth date is said. */
  const patchOf = (id: string): BundleEntry => ({
    resource: {
      resourceType: 'Parameters',
      parameter: [
        replaced('Patient.birthDate', { valueDate: '1980-12-31' }),
        replaced('Patient.name[0].given[0]', { valueString: 'Bernd' }),
      ],
    } as never,
    request: { method: 'PATCH', url: `Patient/${id}` },
  });
  const transact = async (entry: BundleEntry[]): Promise<void> => {
    const bundle: Bundle = { resourceType: 'Bundle', type: 'transaction', entry };
    await expect(ground.transact(caller, bundle)).rejects.toMatchObject({ code: 'identity.conflict' });
  };

  it.each<[string, HeldResolution]>([
    ['the same', { action: 'same' }],
    ['another one’s', { action: 'another', authority: SOUTH }],
  ])('of which the first is %s waits for the second, whose PATCH is another one’s', async (_, decision) => {
    await transact([putOf(first, '4711', BERND), patchOf(second)]);
    expect(await waitsFor()).toEqual([first]);
    await decide(decision);
    expect(await waitsFor()).toEqual([second]);
    await decide({ action: 'another', authority: SOUTH });
    expect(await waitsFor()).toEqual([]);
    expect(await read(first)).toMatchObject({ birthDate: decision.action === 'same' ? '1980-12-31' : '1950-01-01' });
    expect(await read(second)).toMatchObject({ birthDate: '1970-05-05', identifier: [{ system: NORTH }] });
    expect(await others()).toBe(decision.action === 'same' ? 1 : 2);
  });

  it('of which the second is a PATCH of the same person is done as a whole', async () => {
    await transact([putOf(first, '4711', BERND), patchOf(second)]);
    await decide({ action: 'another', authority: SOUTH });
    await decide({ action: 'same' });
    expect([await waitsFor(), await others()]).toEqual([[], 1]);
    expect(await read(second)).toMatchObject({
      birthDate: '1980-12-31',
      name: [{ family: 'Klein', given: ['Bernd'] }],
    });
  });
});
