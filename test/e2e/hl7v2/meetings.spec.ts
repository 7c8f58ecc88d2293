import { createHash } from 'node:crypto';
import type { Media, Patient, ServiceRequest } from '@medplum/fhirtypes';
import { AnalysisService } from '../../../src/core/analysis/analysis.service.js';
import type { JobRequest } from '../../../src/core/analysis/analysis-job.js';
import { SuturaError } from '../../../src/core/errors/sutura-error.js';
import { HeldService } from '../../../src/core/held/held.service.js';
import { ImageService } from '../../../src/core/images/image.service.js';
import { ObjectStore } from '../../../src/core/images/object-store.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../../src/core/tenancy/api-key.js';
import { FhirRecords } from '../../../src/doors/fhir/records/fhir-records.js';
import { applyMessage } from '../../support/applied-message.js';
import { queryDatabase } from '../../support/database-query.js';
import {
  CAMERA_SETTINGS,
  drawMeetings,
  fhirPatientOf,
  fhirResourceOf,
  inWords,
  MR,
  personOf,
  TAKEN_AT,
  type DrawnPerson,
  type MeetingStep,
} from '../../support/drawn-meetings.js';
import { IntakeGround, photoData } from '../../support/intake-ground.js';
import { eachSeed, seedsOf } from '../../support/rounds.js';

const NAME = 'meetings of photos and orders';
const LISTENERS = {
  cameras: { id: '0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c02', name: 'cameras', ...CAMERA_SETTINGS },
  orders: { id: '0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c01', name: 'orders' },
};

/** ADT about a record that is joined into another, and orders that are there. */
const OF_REPEATS = ['patient.joined', 'order.exists', 'fhir.duplicate'];

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
      where twin.id <> image.id and twin.organization_id = $1 and twin.sha256 = image.sha256 and (image.patient_id is null or twin.patient_id = image.patient_id)) as "twinAnalysed"
  from images image where image.organization_id = $1 and image.status = 'stored' order by image.id`;

const MADE = `select (select count(*)::int from analysis_jobs where organization_id = $1) as jobs,
  (select coalesce(sum(used), 0)::int from quota_usage where organization_id = $1) as charged`;

async function patientId(caller: Caller, person: DrawnPerson): Promise<string> {
  const known = await ground
    .get(FhirRecords)
    .findByIdentifier<Patient>(caller, 'Patient', [{ system: MR, value: person.number }]);
  return known[0]?.id ?? (await ground.post(caller, fhirPatientOf(person))).resource.id!;
}

/** The codes by which it is refused; none: it was taken. */
async function carryOut(caller: Caller, step: MeetingStep): Promise<readonly string[]> {
  if (step.by === 'hl7') {
    const problems = await applyMessage(ground, caller, step.message, LISTENERS[step.listener]);
    return problems.flatMap(({ code, severity }) => (severity === 'warning' ? [] : code));
  }
  try {
    if (step.by === 'rest') await analyse(caller, step);
    else {
      const whose = step.form === 'id' ? await patientId(caller, step.person) : '';
      await ground.post<Media | ServiceRequest>(caller, fhirResourceOf(step, photos, whose));
    }
    return [];
  } catch (fault) {
    if (fault instanceof SuturaError && fault.kind !== 'internal') return [fault.code];
    throw fault;
  }
}

async function analyse(caller: Caller, { photo, person }: MeetingStep): Promise<void> {
  const images = ground.get(ImageService);
  const { id } = (await images.requestUpload(caller, { contentType: null, contentLength: null, sha256: null })).image;
  const bytes = Buffer.from(photos[photo!]!, 'base64');
  await images.receive(id, {
    sizeBytes: bytes.length,
    sha256: sha256(photos[photo!]!),
    head: bytes.subarray(0, 12),
    read: () => Promise.resolve(bytes),
    keepAs: (key: string) => ground.get(ObjectStore).put(key, bytes, 'image/jpeg'),
  });
  const request: JobRequest = {
    imageId: id,
    clinicalContext: null,
    subject: { patientId: person.number, patientSystem: MR, woundId: 'W-1' },
    capturedAt: new Date(TAKEN_AT),
    capturedAsStated: TAKEN_AT,
    mmPerPixel: null,
    clinicianObservations: null,
    priority: 'routine',
    metadata: null,
    source: 'rest',
  };
  const analysis = ground.get(AnalysisService);
  await ground.get(UnitOfWork).inTenant(caller, (transaction) => analysis.create(transaction, request));
}

/** What waits for a person once the time has passed that the organization sets, without photos whose twin has a result. */
async function listed(caller: Caller): Promise<{ readonly images: ReadonlySet<string>; readonly reasons: string[] }> {
  const sql = (statement: string) => queryDatabase(ground.database.url, statement, [caller.organizationId]);
  await sql(`update organizations set unmatched_from = '-infinity' where id = $1`);
  await sql(`update images set stored_at = stored_at - interval '2 days' where organization_id = $1`);
  await sql(`update analysis_requests set created_at = created_at - interval '2 days' where organization_id = $1`);
  const page = { reason: null, olderThanS: null, after: null, limit: 100 } as const;
  const items = await ground.get(HeldService).list(caller, page);
  return {
    images: new Set(items.flatMap(({ came }) => came.imageIds)),
    reasons: items.map(({ reason, came }) => `${reason}: ${JSON.stringify(came)}`),
  };
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
  const history = drawMeetings(seed, photos);
  const refusals: (readonly string[])[] = [];
  for (const step of history.steps) refusals.push(await carryOut(caller, step));
  const said = inWords(history, refusals);
  await ground.relay();
  const onList = await listed(caller);
  const filed = await queryDatabase<FiledPhoto>(ground.database.url, FILED, [caller.organizationId]);
  // Each photo that was taken is there.
  const sent = new Set(
    history.steps.flatMap(({ photo }, index) => (refusals[index]!.length === 0 ? (photo ?? []) : [])),
  );
  expect([said, new Set(filed.map((photo) => digests.get(photo.sha256)))]).toEqual([said, sent]);
  for (const photo of filed) await expectOneFate(caller, photo, onList.images, said);
  const [made] = await queryDatabase<{ jobs: number; charged: number }>(ground.database.url, MADE, [
    caller.organizationId,
  ]);
  expect([said, made!.charged]).toEqual([said, made!.jobs]);
  if (!history.isPlain) return;
  const refused = refusals.flat().filter((code) => !OF_REPEATS.includes(code));
  expect([said, refused, onList.reasons]).toEqual([said, [], []]);
}

async function expectOneFate(
  caller: Caller,
  photo: FiledPhoto,
  onList: ReadonlySet<string>,
  said: string,
): Promise<void> {
  expect([said, photo.id, fatesOf(photo, onList)]).toEqual([said, photo.id, [expect.any(String)]]);
  expect([said, photo.jobPatients.length]).toEqual([said, Math.min(photo.jobPatients.length, 1)]);
  for (const patientOfJob of photo.jobPatients) expect([said, patientOfJob]).toEqual([said, photo.patientId]);
  if (photo.patientId === null) return;
  // Two photos are each person's, so that its bytes say whose it is.
  const { identifier, name } = await ground.find<Patient>(caller, 'Patient', photo.patientId);
  const owner = personOf(digests.get(photo.sha256)!);
  expect([said, identifier?.map(({ value }) => value!.slice(0, owner.number.length))]).toEqual([
    said,
    identifier?.map(() => owner.number),
  ]);
  // Who came over REST alone has no name yet.
  if (name !== undefined) expect([said, name[0]?.given]).toEqual([said, [owner.given]]);
  const media = await ground.find<Media>(caller, 'Media', photo.id);
  expect([said, media.subject?.reference]).toEqual([said, `Patient/${photo.patientId}`]);
}

/** Tests of ten histories each, so that none is long. */
const TENS = ((seeds: readonly number[]) =>
  Array.from({ length: Math.ceil(seeds.length / 10) }, (_, ten) => seeds.slice(ten * 10, ten * 10 + 10)))(
  seedsOf(NAME, 200, 1, 40),
);

it.each(TENS)(
  'leave each photo with one result, refusal or entry of the list, and nobody with another’s (%i …)',
  async (...seeds) => {
    await eachSeed(NAME, seeds, round);
  },
);
