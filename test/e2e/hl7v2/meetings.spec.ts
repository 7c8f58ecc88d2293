import { createHash } from 'node:crypto';
import type { Media, Patient, ServiceRequest } from '@medplum/fhirtypes';
import { SuturaError } from '../../../src/core/errors/sutura-error.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../../src/core/tenancy/api-key.js';
import { FhirRecords } from '../../../src/doors/fhir/records/fhir-records.js';
import { UnmatchedRecordsSource } from '../../../src/doors/fhir/records/unmatched-records.source.js';
import { UnmatchedRecords } from '../../../src/standards/fhir/store/unmatched-records.js';
import { applyMessage } from '../../support/applied-message.js';
import { queryDatabase } from '../../support/database-query.js';
import { drawMeetings, MR, PLACER_NUMBERS, type DrawnPerson, type MeetingStep } from '../../support/drawn-meetings.js';
import { IntakeGround, photoData } from '../../support/intake-ground.js';
import { mediaOf, orderOf, patientOf } from '../../support/intake-resources.js';
import { eachSeed, seedsOf } from '../../support/rounds.js';

const NAME = 'meetings of photos and orders';
const LISTENERS = {
  photo: { id: '0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c02', name: 'cameras' },
  order: { id: '0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c01', name: 'orders' },
};

let ground: IntakeGround;
let photos: readonly string[];
let digests: ReadonlyMap<string, number>;
beforeAll(async () => {
  ground = await IntakeGround.open();
  photos = await Promise.all([1, 2, 3, 4].map((seed) => photoData(seed)));
  digests = new Map(photos.map((photo, index) => [sha256(photo), index]));
});
afterAll(() => ground?.close());

const sha256 = (photo: string) => createHash('sha256').update(Buffer.from(photo, 'base64')).digest('hex');

/** A photo as the records have it in the end. */
interface FiledPhoto {
  readonly id: string;
  readonly sha256: string;
  readonly patientId: string | null;
  readonly states: readonly string[];
  readonly jobPatients: readonly string[];
  readonly twinAnalysed: boolean;
}

const FILED = `select image.id::text, image.sha256, image.patient_id::text as "patientId",
    array(select state from analysis_requests request where request.image_id = image.id) as states,
    array(select patient_id::text from analysis_jobs job where job.image_id = image.id) as "jobPatients",
    exists (select from images twin join analysis_jobs job on job.image_id = twin.id
      where twin.id <> image.id and twin.organization_id = $1 and twin.sha256 = image.sha256 and twin.patient_id is not distinct from image.patient_id) as "twinAnalysed"
  from images image where image.organization_id = $1 and image.status = 'stored' order by image.id`;

async function patientId(caller: Caller, { number, family, given, birthDate }: DrawnPerson): Promise<string> {
  const known = await ground
    .get(FhirRecords)
    .findByIdentifier<Patient>(caller, 'Patient', [{ system: MR, value: number }]);
  if (known[0] !== undefined) return known[0].id!;
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(birthDate)!;
  const person = patientOf(number, { name: [{ family, given: [given] }], birthDate: `${year}-${month}-${day}` });
  return (await ground.post(caller, person)).resource.id!;
}

/** True where it was taken. */
async function carryOut(caller: Caller, step: MeetingStep): Promise<boolean> {
  if (step.by === 'hl7') {
    const listener = step.kind === 'photo' ? LISTENERS.photo : LISTENERS.order;
    const problems = await applyMessage(ground, caller, step.message, listener);
    return problems.every(({ severity }) => severity === 'warning');
  }
  const subject = await patientId(caller, step.person);
  const identifier = { system: PLACER_NUMBERS, value: step.number ?? '' };
  const basedOn = step.number === null ? {} : { basedOn: [{ type: 'ServiceRequest', identifier }] };
  const resource =
    step.kind === 'photo'
      ? mediaOf({ data: photos[step.photo]! }, { patientId: subject }, basedOn as Partial<Media>)
      : orderOf(subject, { identifier: [identifier] } as Partial<ServiceRequest>);
  try {
    await ground.post<Media | ServiceRequest>(caller, resource);
    return true;
  } catch (fault) {
    if (fault instanceof SuturaError && fault.kind !== 'internal') return false;
    throw fault;
  }
}

async function listed(caller: Caller): Promise<ReadonlySet<string>> {
  const sql = (statement: string) => queryDatabase(ground.database.url, statement, [caller.organizationId]);
  await sql(`update organizations set unmatched_from = '-infinity' where id = $1`);
  await sql(`update images set stored_at = stored_at - interval '2 days' where organization_id = $1`);
  const page = { reason: 'photo_without_order', olderThanS: null, after: null, limit: 100 } as const;
  const items = await ground
    .get(UnitOfWork)
    .inTenant(caller, (transaction) =>
      new UnmatchedRecordsSource(new UnmatchedRecords(), ground.get(UnitOfWork)).open(transaction, page),
    );
  return new Set(items.flatMap(({ came }) => came.imageIds));
}

/** The one of these that became of the photo. */
function fatesOf({ id, states, jobPatients, twinAnalysed }: FiledPhoto, onList: ReadonlySet<string>): string[] {
  const isAnalysed = jobPatients.length > 0 || states.some((state) => ['started', 'waiting', 'held'].includes(state));
  return [
    ...(isAnalysed ? ['result'] : []),
    ...(!isAnalysed && states.length > 0 ? ['refusal'] : []),
    ...(onList.has(id) ? ['list'] : []),
    ...(!isAnalysed && states.length === 0 && twinAnalysed ? ['result of the same bytes'] : []),
  ];
}

async function round(seed: number): Promise<void> {
  const caller = await ground.createCaller();
  const steps = drawMeetings(seed, photos);
  const taken: MeetingStep[] = [];
  for (const step of steps) if (await carryOut(caller, step)) taken.push(step);
  await ground.relay();
  const onList = await listed(caller);
  const filed = await queryDatabase<FiledPhoto>(ground.database.url, FILED, [caller.organizationId]);
  const said = `${seed}: ${steps.map(({ kind, by, person }) => `${kind} by ${by} of ${person.number}`).join(', ')}`;
  // Each photo that was taken is there.
  const sent = new Set(taken.flatMap((step) => (step.kind === 'photo' ? [step.photo] : [])));
  expect([said, new Set(filed.map((photo) => digests.get(photo.sha256)))]).toEqual([said, sent]);
  for (const photo of filed) {
    expect([said, photo.id, fatesOf(photo, onList)]).toEqual([said, photo.id, [expect.any(String)]]);
    // Two photos are each person's, so that its bytes say whose it is.
    const owner = digests.get(photo.sha256)! < 2 ? 'Beispiel' : 'Muster';
    const patient = await ground.find<Patient>(caller, 'Patient', photo.patientId!);
    expect([said, patient.name?.[0]?.family]).toEqual([said, owner]);
    expect([said, new Set(photo.jobPatients)]).toEqual([
      said,
      new Set(photo.jobPatients.length === 0 ? [] : [photo.patientId]),
    ]);
    const media = await ground.find<Media>(caller, 'Media', photo.id);
    expect([said, media.subject?.reference]).toEqual([said, `Patient/${photo.patientId}`]);
    expect([said, photo.jobPatients.length]).toEqual([said, Math.min(photo.jobPatients.length, 1)]);
  }
}

/** Tests of ten histories each, so that none is long. */
const TENS = ((seeds: readonly number[]) =>
  Array.from({ length: Math.ceil(seeds.length / 10) }, (_, ten) => seeds.slice(ten * 10, ten * 10 + 10)))(
  seedsOf(NAME, 200, 1, 60),
);

it.each(TENS)(
  'leave each photo with one result, refusal or entry of the list, and nobody with another’s (%i …)',
  async (...seeds) => {
    await eachSeed(NAME, seeds, round);
  },
);
