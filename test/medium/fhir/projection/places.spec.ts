import type { DiagnosticReport } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { JobRepository } from '../../../../src/core/analysis/job.repository.js';
import { Clock } from '../../../../src/core/ports/clock.js';
import type { ClinicalReport } from '../../../../src/core/report/clinical-report.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { R4Definitions } from '../../../../src/standards/fhir/definitions/r4-definitions.js';
import { AuthorityDirectory } from '../../../../src/core/patients/authority-table.js';
import { PresentPlaces } from '../../../../src/doors/fhir/intake/present-places.js';
import { StoredResourceSearch } from '../../../../src/doors/fhir/search/stored-resource.search.js';
import { ResourceIndexer } from '../../../../src/standards/fhir/search-index/rows/resource-indexer.js';
import { TypeSearches } from '../../../../src/standards/fhir/search-index/parameters/type-searches.js';
import { IndexRenewal } from '../../../../src/standards/fhir/store/index-renewal.js';
import { ResourceFinder } from '../../../../src/standards/fhir/store/resource-finder.js';
import { readSettings } from '../../../../src/platform/config/settings.js';
import { Logger } from '../../../../src/platform/logging/logger.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { REVIEWER, WOUND } from '../../../support/follow-up-context.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { drawResult, squareOf } from '../../../support/wound-results.js';
import { zoneOf } from '../search/searching.js';
import { ProjectionGround } from './projection-ground.js';

const SEQUENCE = 'https://sutura.dev/fhir/StructureDefinition/assessment-sequence';
const EVERYTHING = { from: null, to: null };

describe('the place of a report in its series', () => {
  const searches = new TypeSearches(new R4Definitions());
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: ProjectionGround;
  let places: PresentPlaces;
  let search: StoredResourceSearch;
  let caller: Caller;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new ProjectionGround(context);
    places = new PresentPlaces(ground.places, context.get(UnitOfWork));
    search = new StoredResourceSearch(
      searches,
      new ResourceFinder(),
      context.get(Clock),
      zoneOf(context),
      context.get(AuthorityDirectory),
    );
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    caller = { ...(await context.createTenant()), keyId: v7(), scopes: ['analysis:read'] };
  });

  const assess = async (week: number, areaCm2: number | null, woundId = 'W1') => {
    const drawn = areaCm2 === null ? { mmPerPixel: null } : {};
    const report = await ground.followUp.assess(caller, week, areaCm2 ?? 9, { ...WOUND, woundId }, drawn);
    await ground.deliver(caller);
    return report;
  };
  const placeOf = (resource: unknown) =>
    (resource as DiagnosticReport).extension?.find(({ url }) => url === SEQUENCE)?.valuePositiveInt;
  /** As the door answers a read, or a read of a version. */
  const served = async ({ id }: Pick<ClinicalReport, 'id'>, version?: number) => {
    const stored = await ground.within(caller, (transaction) =>
      version === undefined
        ? ground.store.find(transaction, 'DiagnosticReport', id)
        : ground.store.findVersion(transaction, 'DiagnosticReport', id, version),
    );
    const { body } = await places.state(caller, { status: 200, body: stored });
    return body as NonNullable<typeof stored>;
  };
  const placesOf = async (reports: readonly ClinicalReport[]) =>
    Promise.all(reports.map(async (report) => placeOf((await served(report)).resource)));
  const found = async (query: string) => {
    const bundle = await ground.within(caller, (transaction) =>
      search.search(
        { transaction, caller, base: 'https://gateway.example/fhir', requestId: 'r' },
        'DiagnosticReport',
        new URLSearchParams(query),
        { strict: true, visible: 'all' },
      ),
    );
    const { body } = await places.state(caller, { status: 200, body: bundle });
    const resources = (body as typeof bundle).entry?.map(({ resource }) => resource as DiagnosticReport) ?? [];
    return resources.map((resource) => [resource.id, placeOf(resource)]);
  };
  const timeline = async ({ content }: ClinicalReport) =>
    (await ground.followUp.reader.timeline(caller, content.subject.woundRef, EVERYTHING)).assessments.map(
      ({ report, sequence }) => [report.id, sequence],
    );

  it('counts a photo that came late and has no scale, everywhere, and changes no version by that', async () => {
    const reports = [await assess(0, 9), await assess(2, 6), await assess(3, 5)];
    const versions = await Promise.all(reports.map(async (report) => (await served(report)).version));
    const late = await assess(1, null);
    const inOrder = [reports[0]!, late, reports[1]!, reports[2]!];
    expect(await placesOf(inOrder)).toEqual([1, 2, 3, 4]);
    expect(await timeline(late)).toEqual(inOrder.map(({ id }, index) => [id, index + 1]));
    const read = await Promise.all(inOrder.map(({ id }) => ground.followUp.reader.read(caller, id)));
    expect(read.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(await found('sequence=3')).toEqual([[reports[1]!.id, 3]]);
    expect(await found('sequence=4')).toEqual([[reports[2]!.id, 4]]);
    expect(await found('sequence=gt2&_sort=sequence')).toEqual([
      [reports[1]!.id, 3],
      [reports[2]!.id, 4],
    ]);
    expect(await found('_sort=-sequence')).toEqual(
      [...inOrder.entries()].reverse().map(([at, { id }]) => [id, at + 1]),
    );
    const last = await served(reports[2]!);
    expect([last.version, last.resource.meta?.versionId]).toEqual([versions[2], String(versions[2])]);
  });

  it('is the present one in earlier versions too', async () => {
    const [first, second] = [await assess(0, 9), await assess(2, 6)];
    await assess(1, 7);
    expect((await served(second)).version).toBe(2);
    expect(placeOf((await served(second, 1)).resource)).toBe(3);
    expect(placeOf((await served(first, 1)).resource)).toBe(1);
  });

  it('closes up behind a report that was rejected, which has none any more', async () => {
    const reports = [await assess(0, 9), await assess(1, 7), await assess(2, 6), await assess(3, 5)];
    await ground.followUp.review(caller, reports[1]!, { decision: 'reject' });
    await ground.deliver(caller);
    expect(await placesOf(reports)).toEqual([1, undefined, 2, 3]);
    expect((await found('sequence=2')).map(([id]) => id)).toEqual([reports[2]!.id]);
    expect(await found('sequence=4')).toEqual([]);
  });

  it('is that of the wound which others were joined into, and of the own one after they were parted', async () => {
    const [first, third] = [await assess(0, 9), await assess(2, 6)];
    const between = await assess(1, 7, 'W2');
    const [into, wound] = [first.content.subject.woundRef, between.content.subject.woundRef];
    const decide = (decision: 'merge' | 'unmerge') =>
      ground.followUp.within(caller, (transaction) =>
        decision === 'merge'
          ? ground.followUp.wounds.merge(transaction, wound, into, { reviewer: REVIEWER, note: null })
          : ground.followUp.wounds.unmerge(transaction, wound, { reviewer: REVIEWER, note: null }),
      );
    await decide('merge');
    await ground.deliver(caller);
    expect(await placesOf([first, between, third])).toEqual([1, 2, 3]);
    await decide('unmerge');
    await ground.deliver(caller);
    expect(await placesOf([first, between, third])).toEqual([1, 1, 2]);
  });

  it('stays where the index is made anew', async () => {
    const [first, third, fourth] = [await assess(0, 9), await assess(2, 6), await assess(3, 5)];
    await assess(1, null);
    await queryDatabase(database.url, 'delete from fhir_index_passes');
    const renewal = new IndexRenewal(
      new ResourceIndexer(searches),
      ground.places,
      context.get(UnitOfWork),
      readSettings({}),
      Logger.create('silent'),
    );
    expect(await renewal.run()).toBeGreaterThan(4);
    expect(await placesOf([first, third, fourth])).toEqual([1, 3, 4]);
    expect(await found('sequence=4')).toEqual([[fourth.id, 4]]);
  });

  it('is one for both analyses of a photo, and the report that stands replaces the other until it is rejected', async () => {
    const [first, older, later] = [await assess(0, 9), await assess(1, 7), await assess(2, 6)];
    const jobs = context.get(JobRepository);
    const known = (await ground.within(caller, (transaction) => jobs.find(transaction, older.jobId)))!;
    const { subject, patientId, capturedAt, imageId } = known;
    const job = await context.createJob(caller, { subject, patientId, capturedAt, imageId });
    await jobs.complete((await jobs.claim(60, job.id))!.lease, drawResult(squareOf(7.1)));
    await ground.followUp.assembly.assemble(caller, job.id);
    await ground.deliver(caller);
    const newer = await ground.followUp.read(caller, job.reportId);
    const reportAs = async (report: ClinicalReport) => (await served(report)).resource as DiagnosticReport;
    const replaces = {
      url: 'http://hl7.org/fhir/StructureDefinition/diagnosticReport-replaces',
      valueReference: { reference: `DiagnosticReport/${older.id}` },
    };
    expect(await placesOf([first, older, newer, later])).toEqual([1, 2, 2, 3]);
    expect((await reportAs(newer)).extension).toContainEqual(replaces);
    expect((await reportAs(older)).conclusion).toContain(newer.id);
    expect((await ground.faultsOf(caller)).flatMap(([, found]) => found)).toEqual([]);
    await ground.followUp.review(caller, newer, { decision: 'reject' });
    await ground.deliver(caller);
    expect((await reportAs(newer)).extension).not.toContainEqual(replaces);
    expect(await placesOf([first, older, newer, later])).toEqual([1, 2, undefined, 3]);
  });

  it('is another tenant’s matter where it is another tenant’s report', async () => {
    const report = await assess(0, 9);
    const other = await context.createTenant();
    expect(await ground.within(other, (transaction) => ground.places.of(transaction, [report.id]))).toEqual(new Map());
    await ground.within(other, (transaction) => ground.places.keep(transaction, new Map([[report.id, 7]])));
    expect(await placesOf([report])).toEqual([1]);
  });
});
