import type { Binary, Bundle, BundleEntry } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { ImageErasure } from '../../../../src/core/erasure/image-erasure.js';
import { imageFolder } from '../../../../src/core/images/image.js';
import { ObjectStore } from '../../../../src/core/images/object-store.js';
import { PictureRenderer } from '../../../../src/core/analysis/picture-renderer.js';
import { ReportRenderer } from '../../../../src/reports/index.js';
import type { ClinicalReport } from '../../../../src/core/report/clinical-report.js';
import { SCOPES, type Caller } from '../../../../src/core/tenancy/api-key.js';
import { BundleProcessor } from '../../../../src/doors/fhir/bundle/bundle-processor.js';
import type { Preconditions } from '../../../../src/doors/fhir/call/fhir-call.js';
import { NO_PREFERENCES } from '../../../../src/doors/fhir/call/preferences.js';
import { ResourceInteractions } from '../../../../src/doors/fhir/interactions/resource-interactions.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { FollowUpContext } from '../../../support/follow-up-context.js';
import { BASE, IntakeGround } from '../../../support/intake-ground.js';
import { CountedDocuments, PlainPictures } from '../../../support/kept-documents.js';

/** The least that a gateway has. */
const CONNECTIONS = '2';

let ground: IntakeGround;
let context: DatabaseContext;
let followUp: FollowUpContext;
let caller: Caller;

beforeAll(async () => {
  ground = await IntakeGround.open({ SUTURA_DATABASE_POOL: CONNECTIONS });
  // Threads run what was built; a document here says how the making of it went.
  const [documents, pictures] = [new CountedDocuments(), new PlainPictures()];
  jest
    .spyOn(ground.get(ReportRenderer), 'render')
    .mockImplementation(async (reading, shown) => Buffer.from(await documents.render(reading, shown)));
  jest.spyOn(ground.get(PictureRenderer), 'draw').mockImplementation((...asked) => pictures.draw(...asked));
  context = await DatabaseContext.open(ground.database.url);
  followUp = new FollowUpContext(context);
});
afterAll(async () => {
  await context?.close();
  await ground?.close();
});
beforeEach(async () => {
  caller = { ...(await context.createTenant()), keyId: v7(), scopes: SCOPES };
});

async function assess(weeks: number): Promise<ClinicalReport[]> {
  const reports: ClinicalReport[] = [];
  for (let week = 0; week < weeks; week += 1) {
    const report = await followUp.assess(caller, week, 9 - week);
    await ground.get(ObjectStore).put(`${imageFolder(report.imageId)}original`, Buffer.from('photo'), 'image/jpeg');
    reports.push(report);
  }
  return reports;
}
const addressOf = ({ id, version }: ClinicalReport): string => `Binary/${id}-v${version}`;
const bundleOf = (type: 'batch' | 'transaction', reports: readonly ClinicalReport[]): Bundle => ({
  resourceType: 'Bundle',
  type,
  entry: reports.map((report) => ({ request: { method: 'GET', url: addressOf(report) } })),
});
async function send(body: Bundle): Promise<BundleEntry[]> {
  const asked = { base: BASE, requestId: v7(), body, preferences: NO_PREFERENCES, idempotencyKey: null };
  const answer = await ground.get(BundleProcessor).process(caller, asked);
  return (answer.body as Bundle).entry ?? [];
}
const read = (report: ClinicalReport, conditions: Preconditions = {}) =>
  ground.within(caller, (call) =>
    ground.get(ResourceInteractions).reading.read(call, 'Binary', addressOf(report).slice(7), conditions),
  );

describe('documents that a Bundle reads', () => {
  it.each(['batch', 'transaction'] as const)(
    'are made on the connection of the %s, however many ask at once',
    async (type) => {
      const reports = await assess(3);
      const answers = await Promise.all(Array.from({ length: 5 }, () => send(bundleOf(type, reports))));
      for (const entries of answers) {
        expect(entries.map(({ response }) => response?.status)).toEqual(['200 OK', '200 OK', '200 OK']);
        expect(entries.map(({ resource }) => (resource as Binary).data)).toEqual(
          answers[0]!.map(({ resource }) => (resource as Binary).data),
        );
      }
    },
  );

  it('of one that there is not is 404, beside those that there are', async () => {
    const [report] = await assess(1);
    const entries = await send(bundleOf('batch', [report!, { ...report!, version: 9 }, { ...report!, id: v7() }]));
    expect(entries.map(({ response }) => response?.status)).toEqual(['200 OK', '404 Not Found', '404 Not Found']);
  });
});

describe('a document as a resource', () => {
  it('is not said to be unchanged once its photo was erased, by whatever tag or time it was known', async () => {
    const [report] = await assess(1);
    const before = await read(report!);
    const etag = before.headers!['etag']!;
    expect(await read(report!, { ifNoneMatch: etag })).toMatchObject({ status: 304, body: null });
    await ground.get(ImageErasure).erase(caller, report!.imageId);
    for (const ifNoneMatch of [etag, 'W/"1"', '"1"', '1']) {
      const after = await read(report!, { ifNoneMatch });
      expect([after.status, (after.body as Binary).data === (before.body as Binary).data]).toEqual([200, false]);
    }
    const now = await read(report!);
    expect(await read(report!, { ifNoneMatch: now.headers!['etag']! })).toMatchObject({ status: 304 });
    expect((now.body as Binary).meta?.versionId).toBe(now.headers!['etag']!.slice(3, -1));
  });

  it('is the version that it names, and no other', async () => {
    const [report] = await assess(1);
    const { versionId } = ((await read(report!)).body as Binary).meta!;
    const readVersion = (version: string) =>
      ground.within(caller, (call) =>
        ground.get(ResourceInteractions).reading.readVersion(call, 'Binary', addressOf(report!).slice(7), version),
      );
    await expect(readVersion('2')).rejects.toMatchObject({ code: 'fhir.not_found' });
    expect([(await readVersion(versionId!)).status, (await readVersion('1')).status]).toEqual([200, 200]);
  });
});

describe('an erased photo', () => {
  it('is gone, whatever the caller says to have of it', async () => {
    const [report] = await assess(1);
    await ground.get(ImageErasure).erase(caller, report!.imageId);
    for (const ifNoneMatch of [undefined, 'W/"1"', '*']) {
      const reading = ground.within(caller, (call) =>
        ground
          .get(ResourceInteractions)
          .reading.read(call, 'Binary', report!.imageId, ifNoneMatch === undefined ? {} : { ifNoneMatch }),
      );
      await expect(reading).rejects.toMatchObject({ code: 'fhir.gone' });
    }
  });
});
