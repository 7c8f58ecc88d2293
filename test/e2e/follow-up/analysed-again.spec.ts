import type { Bundle, Task } from '@medplum/fhirtypes';
import type { Language } from '../../../src/reports/wording/language.js';
import { expectStatus, type Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital, orderMessage, valuesOf } from '../../support/hl7-hospital.js';
import { readDocument } from '../../support/read-document.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

type Body = Answer['body'];

const MRN_SYSTEM = 'urn:oid:1.2.3.4.5.6';
const REPLACES = 'http://hl7.org/fhir/StructureDefinition/diagnosticReport-replaces';
/** Small: what is shown does not depend on it. */
const SIZE = { width: 320, height: 240 };
const LONGEST_WAIT_MS = 30_000;
const TAKEN = '2026-03-15T08:40:00.000Z';

describe('a photo that is analysed again', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;

  beforeAll(async () => {
    // A large message under load takes longer than the short lease that tests have.
    gateway = await sharedGateway();
  });
  beforeEach(async () => {
    hospital = await Hl7Hospital.open(gateway, {}, { pdf: 'none' });
  });
  afterEach(() => hospital?.close());

  const read = async (path: string): Promise<Body> =>
    expectStatus(200, await hospital.client.request('GET', path)).body;
  const create = async (resource: {
    readonly resourceType: string;
    readonly [element: string]: unknown;
  }): Promise<Body> =>
    expectStatus(201, await hospital.client.request('POST', `/fhir/${resource.resourceType}`, { json: resource })).body;
  const reportOfTask = async (taskId: string): Promise<string> => {
    const task = await eventually(
      'the Task is completed',
      async () => {
        const { status, output }: Task = await hospital.read(`Task/${taskId}`);
        return status === 'completed' ? output : undefined;
      },
      LONGEST_WAIT_MS,
    );
    return task[0]!.valueReference!.reference!.split('/')[1]!;
  };
  const analyze = async (imageId: string): Promise<string> => {
    const { body } = expectStatus(200, await hospital.client.request('POST', `/fhir/Media/${imageId}/$analyze`, {}));
    return reportOfTask(body.id);
  };
  const job = async (json: object): Promise<string> => {
    const { id } = await hospital.client.startJob(json);
    return (await hospital.client.waitForJob(id)).links.report.split('/').at(-1);
  };
  const words = async (reportId: string, language: Language): Promise<string> => {
    const headers = { accept: 'text/plain' };
    const answer = await hospital.client.request('GET', `/api/v1/reports/${reportId}?lang=${language}`, { headers });
    return readDocument(expectStatus(200, answer).bytes, 'text');
  };
  /** The report in FHIR once it says which one it replaces, or that it is replaced. */
  const shown = (reportId: string, isSo: (report: Body) => boolean): Promise<Body> =>
    eventually(
      `the report ${reportId} is shown as it is`,
      async () => {
        const { status, body } = await hospital.client.request('GET', `/fhir/DiagnosticReport/${reportId}`);
        return status === 200 && isSo(body) ? body : undefined;
      },
      LONGEST_WAIT_MS,
    );
  const extension = (report: Body, url: string): Body => report.extension.find((one: Body) => one.url.endsWith(url));

  /** Analyses of one photo, oldest first: the last stands in one place with the time of the photo, and says which one it replaces. */
  const expectOnePlace = async (reportIds: readonly string[], noTrendReason: string | null = null): Promise<void> => {
    const newest = reportIds.at(-1)!;
    const before = reportIds.at(-2)!;
    const { subject, capturedAt, comparison } = await read(`/api/v1/reports/${newest}`);
    expect([capturedAt, comparison.supersedes, comparison.supersededBy]).toEqual([TAKEN, before, null]);
    const { assessments } = await read(`/api/v1/wounds/${subject.woundRef}/timeline`);
    const places = assessments.map((one: Body) => [
      one.reportId,
      one.sequence,
      one.noTrendReason,
      one.supersededBy,
      one.flags.length,
    ]);
    expect(places).toEqual([
      ...reportIds.slice(0, -1).map((reportId) => [reportId, 1, 'superseded', newest, 0]),
      [newest, 1, noTrendReason, null, 0],
    ]);

    const inForce = await shown(newest, (report) => extension(report, REPLACES) !== undefined);
    expect(extension(inForce, REPLACES).valueReference).toEqual({ reference: `DiagnosticReport/${before}` });
    expect(extension(inForce, 'assessment-sequence').valuePositiveInt).toBe(1);
    expect(inForce.conclusion).not.toContain('Do not use');
    const mark = `Do not use: this photo was analysed more than once, and report ${newest} stands`;
    for (const reportId of reportIds.slice(0, -1)) {
      const older = await shown(reportId, ({ conclusion }) => conclusion.startsWith(mark));
      expect(extension(older, 'assessment-sequence').valuePositiveInt).toBe(1);
    }
  };

  it('natively stands once, at the time that it was taken, and the next photo is compared with the analysis that stands', async () => {
    const subject = { patientId: 'MRN-1', patientSystem: MRN_SYSTEM, woundId: 'W-1' };
    const calibration = { mmPerPixel: 0.2 };
    const imageId = await hospital.client.uploadPhoto(await drawWoundPhoto({ seed: 1, ...SIZE }));
    const first = await job({ imageId, subject, calibration, capturedAt: TAKEN });
    expect(await job({ imageId, subject, calibration, capturedAt: TAKEN })).toBe(first);
    const again = await job({ imageId, subject, calibration });
    await expectOnePlace([first, again]);
    const withoutTime = await job({ imageId, subject, calibration });
    await expectOnePlace([first, again, withoutTime]);
    const next = await job({
      imageId: await hospital.client.uploadPhoto(await drawWoundPhoto({ seed: 2, ...SIZE })),
      subject,
      calibration,
      capturedAt: '2026-03-22T08:40:00.000Z',
    });
    expect(await read(`/api/v1/reports/${next}`)).toMatchObject({
      sequence: 2,
      comparison: {
        previousAssessment: { reportId: withoutTime },
        previous: { reportId: withoutTime },
        sincePrevious: { days: 7 },
      },
    });
  });

  it('keeps the analysis that a person has accepted; the newer one says which stands, in each language', async () => {
    const subject = { patientId: 'MRN-1', patientSystem: MRN_SYSTEM, woundId: 'W-1' };
    const imageId = await hospital.client.uploadPhoto(await drawWoundPhoto({ seed: 1, ...SIZE }));
    const accepted = await job({ imageId, subject, capturedAt: TAKEN });
    const { headers } = await hospital.client.request('GET', `/api/v1/reports/${accepted}`);
    const review = await hospital.client.request('POST', `/api/v1/reports/${accepted}/reviews`, {
      json: { decision: 'accept', reviewer: { id: 'n-17', name: 'Nora Field' } },
      headers: { 'if-match': headers.get('etag')! },
    });
    expectStatus(201, review);
    const newer = await job({ imageId, subject });
    const { sequence, comparison } = await read(`/api/v1/reports/${newer}`);
    expect([sequence, comparison.noTrendReason, comparison.supersededBy]).toEqual([1, 'superseded', accepted]);
    for (const [language, mark] of [
      ['en', `Do not use: this photo was analysed more than once, and report ${accepted} stands`],
      ['de', `Nicht verwenden: Dieses Foto wurde mehrfach ausgewertet, es gilt Bericht ${accepted}`],
      ['es', `No utilizar: esta fotografía se analizó más de una vez; es válido el informe ${accepted}`],
      [
        'fr',
        `Ne pas utiliser : cette photographie a été analysée plusieurs fois ; le compte rendu ${accepted} fait foi`,
      ],
    ] as const)
      expect(await words(newer, language)).toContain(mark);
    expect(await words(accepted, 'en')).not.toContain('Do not use');
  });

  it('over FHIR stands once', async () => {
    const patient = await create({ resourceType: 'Patient', identifier: [{ system: MRN_SYSTEM, value: 'MRN-1' }] });
    const photo = (await drawWoundPhoto({ seed: 1, ...SIZE })).toString('base64');
    const media = await create({
      resourceType: 'Media',
      status: 'completed',
      subject: { reference: `Patient/${patient.id}` },
      createdDateTime: TAKEN,
      content: { contentType: 'image/jpeg', data: photo },
    });
    await expectOnePlace([await analyze(media.id), await analyze(media.id)], 'no_scale');
  });

  it('over HL7 v2 is analysed once, whether the message is sent again or its photo in another one', async () => {
    const photo = await drawWoundPhoto({ seed: 1, ...SIZE });
    const order = orderMessage({ order: 'ORD-1', photo });
    const answers = [await hospital.send(order), await hospital.send(order)];
    expect(answers.map((answer) => [fieldOf(answer!, 'MSA', 1), fieldOf(answer!, 'MSA', 2)])).toEqual([
      ['AA', 'ORD-1'],
      ['AA', 'ORD-1'],
    ]);
    await hospital.result('ORD-1');
    const inResult = await hospital.send(orderMessage({ order: 'ORD-1', photo, kind: 'ORU', control: 'C-2' }));
    expect([fieldOf(inResult!, 'MSA', 1), fieldOf(inResult!, 'ERR', 5).split('^')[0]]).toEqual(['AA', 'photo.exists']);
    const asNewOrder = await hospital.send(orderMessage({ order: 'ORD-1', photo, control: 'C-3' }));
    expect([fieldOf(asNewOrder!, 'MSA', 1), fieldOf(asNewOrder!, 'ERR', 5).split('^')[0]]).toEqual([
      'AE',
      'order.exists',
    ]);
    expect((await hospital.read<Bundle<Task>>('Task')).entry).toHaveLength(1);
    expect(hospital.resultsOf('ORD-1')).toHaveLength(1);
  });

  it('through every door in turn stands once, and the sender of the order is told which result not to use', async () => {
    await hospital.send(orderMessage({ order: 'ORD-1', photo: await drawWoundPhoto({ seed: 1, ...SIZE }) }));
    const filler = fieldOf(await hospital.result('ORD-1'), 'ORC', 3).split('^')[0]!;
    const { imageId, subject, calibration } = await read(`/api/v1/analysis/jobs/${filler}`);
    const reports = [await reportOfTask(filler), await analyze(imageId)];
    reports.push(await job({ imageId, subject, calibration }));
    await expectOnePlace(reports);
    const results = await eventually('the result of the order is withdrawn in words', () => {
      const [last] = hospital.resultsOf('ORD-1').slice(-1);
      return valuesOf(last!, 'conclusion').join(' ').includes(`report ${reports[2]} stands`) && last;
    });
    expect(fieldOf(results, 'ORC', 3)).toContain(filler);
  });
});
