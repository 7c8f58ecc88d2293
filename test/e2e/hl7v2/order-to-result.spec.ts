import { createHash, randomBytes } from 'node:crypto';
import type {
  BodyStructure,
  Bundle,
  DiagnosticReport,
  Encounter,
  Media,
  Observation,
  Patient,
  Resource,
  ServiceRequest,
  Task,
} from '@medplum/fhirtypes';
import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { becomes, content, createSubscription, subscriptionTo } from '../../support/fhir-subscriptions.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital, mergeMessage, orderChange, orderMessage, valuesOf } from '../../support/hl7-hospital.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const MRN_SYSTEM = 'urn:oid:1.2.3.4.5.6';

let gateway: SharedGateway;
let hospital: Hl7Hospital;
beforeAll(async () => {
  // A large message under load takes longer than the short lease that tests have.
  gateway = await sharedGateway();
});
beforeEach(async () => {
  hospital = await Hl7Hospital.open(gateway);
});
afterEach(() => hospital?.close());

const found = async <T extends Resource>(search: string): Promise<T[]> =>
  ((await hospital.read<Bundle<T>>(search)).entry ?? []).map(({ resource }) => resource!);
/** The same, once it is so many: what follows an event is there some milliseconds after it. */
const untilFound = <T extends Resource>(search: string, count: number): Promise<T[]> =>
  eventually(`${count} of ${search}`, async () => {
    const resources = await found<T>(search);
    return resources.length === count ? resources : undefined;
  });
const pdfOf = (result: string): Buffer =>
  Buffer.from(valuesOf(result, 'wound-report-pdf')[0]!.split('^')[4]!, 'base64');

describe('orders over MLLP', () => {
  it.each([
    ['is no photo', { photo: Buffer.from('no photo at all') }],
    ['is cut off', { photo: Buffer.from('/9j/4AAQ', 'base64') }],
  ])('are refused where the photo %s, and leave nothing', async (_, wish) => {
    const answer = await hospital.send(orderMessage({ order: 'ORD-1', ...wish }));
    expect(fieldOf(answer!, 'MSA', 1)).toBe('AE');
    expect(fieldOf(answer!, 'MSA', 2)).toBe('ORD-1');
    expect(await found<ServiceRequest>('ServiceRequest?identifier=ORD-1')).toEqual([]);
  });

  it('leave the nurse who measured the depth its author, over FHIR', async () => {
    const nurse = '77^Schwester^Erika^^^^^^HOSP&1.2.3.4.5.9&ISO';
    const rows = [`NM|39127-6^Depth of Wound^LN|1|0.4|cm^centimeter^UCUM|||||F|||||${nurse}`];
    await hospital.send(orderMessage({ order: 'ORD-1', photo: await drawSmallWoundPhoto(), rows }));
    await hospital.result('ORD-1');
    const depths = await untilFound<Observation>('Observation?code=39127-6', 2);
    const [stated, copy] = [false, true].map((isCopy) => depths.find(({ id }) => id!.includes('-stated-') === isCopy)!);
    expect(copy!.performer).toEqual(stated!.performer);
    expect(copy!.performer).toMatchObject([{ identifier: { system: 'urn:oid:1.2.3.4.5.9', value: '77' } }]);
    expect(copy!.derivedFrom).toEqual([{ reference: `Observation/${stated!.id!}` }]);
  });

  it('come back as results, the second with the change and the report inside, and are read as FHIR', async () => {
    const [early, late] = [
      orderMessage({ order: 'ORD-1', photo: await drawSmallWoundPhoto({ seed: 1 }), taken: '20260315' }),
      orderMessage({ order: 'ORD-2', photo: await drawSmallWoundPhoto({ seed: 2 }), taken: '20260322' }),
    ];
    const answers = [await hospital.send(early)];
    const first = await hospital.result('ORD-1');
    answers.push(await hospital.send(late));
    const second = await hospital.result('ORD-2');
    expect(answers.map((answer) => [fieldOf(answer!, 'MSA', 1), fieldOf(answer!, 'MSA', 2)])).toEqual([
      ['AA', 'ORD-1'],
      ['AA', 'ORD-2'],
    ]);
    for (const [result, order] of [
      [first, 'ORD-1'],
      [second, 'ORD-2'],
    ] as const) {
      expect(fieldOf(result, 'MSH', 9)).toBe('ORU^R01^ORU_R01');
      expect(fieldOf(result, 'ORC', 2)).toBe(`${order}^EHR^1.2.3.4.5.7^ISO`);
      expect(fieldOf(result, 'PID', 3)).toContain('MRN-1^^^HOSP&1.2.3.4.5.6&ISO^MR');
      expect(fieldOf(result, 'PID', 5)).toContain('Beispiel^Änna');
      expect(fieldOf(result, 'OBR', 25)).toBe('P');
      expect(Number(valuesOf(result, '89260-4')[0])).toBeGreaterThan(0);
      expect(valuesOf(result, 'wound-id')).toEqual(['W-1']);
      expect(pdfOf(result).subarray(0, 5).toString()).toBe('%PDF-');
    }
    expect([valuesOf(first, 'area-change-since-previous'), valuesOf(second, 'area-change-since-previous')]).toEqual([
      [],
      [expect.stringMatching(/^-?[\d.]+$/)],
    ]);

    const [patient] = await found<Patient>(`Patient?identifier=${MRN_SYSTEM}|MRN-1`);
    expect(patient).toMatchObject({
      name: [{ family: 'Beispiel', given: ['Änna'] }],
      birthDate: '1951-07-14',
      gender: 'female',
    });
    expect(await found<BodyStructure>(`BodyStructure?patient=Patient/${patient!.id}`)).toMatchObject([
      { identifier: [{ value: 'W-1' }] },
    ]);
    expect(await found<Encounter>(`Encounter?patient=Patient/${patient!.id}`)).toHaveLength(1);
    const orders = await found<ServiceRequest>(`ServiceRequest?patient=Patient/${patient!.id}`);
    expect(orders.map(({ identifier }) => identifier?.[0]?.value).sort()).toEqual(['ORD-1', 'ORD-2']);
    expect(await found<Media>(`Media?patient=Patient/${patient!.id}`)).toHaveLength(2);
    const tasks = await untilFound<Task>(`Task?patient=Patient/${patient!.id}&status=completed`, 2);
    // The filler's number is the analysis itself, whichever door asks.
    expect([fieldOf(first, 'ORC', 3), fieldOf(second, 'ORC', 3)].map((number) => number.split('^')[0]).sort()).toEqual(
      tasks.map(({ id }) => id).sort(),
    );
    const reports = await untilFound<DiagnosticReport>(`DiagnosticReport?patient=Patient/${patient!.id}`, 2);
    expect(reports.map(({ basedOn }) => basedOn?.[0]?.reference).sort()).toEqual(
      orders.map(({ id }) => `ServiceRequest/${id}`).sort(),
    );
    // The document inside a result is the one that FHIR names, states the size and hash of, and serves.
    const hashOf = (bytes: Buffer): string => createHash('sha1').update(bytes).digest('base64');
    const served = await Promise.all(reports.map(({ id }) => hospital.client.request('GET', `/fhir/Binary/${id}-v1`)));
    const sent = [first, second].map((result) => hashOf(pdfOf(result))).sort();
    expect(served.map(({ bytes }) => hashOf(bytes)).sort()).toEqual(sent);
    expect(reports.map(({ presentedForm }) => presentedForm?.[0]?.hash).sort()).toEqual(sent);
  });

  it('answer a resend with what was answered before, and are analysed once', async () => {
    const message = orderMessage({ order: 'ORD-1', photo: await drawSmallWoundPhoto() });
    const [first, second] = [await hospital.send(message), await hospital.send(message)];
    expect([fieldOf(first!, 'MSA', 1), fieldOf(second!, 'MSA', 1)]).toEqual(['AA', 'AA']);
    await hospital.result('ORD-1');
    expect(
      await found<Task>(
        `Task?focus=ServiceRequest/${(await found<ServiceRequest>('ServiceRequest?identifier=ORD-1'))[0]!.id}`,
      ),
    ).toHaveLength(1);
    expect(hospital.resultsOf('ORD-1')).toHaveLength(1);
  });

  it('are received first and judged later in enhanced mode', async () => {
    const answer = await hospital.send(
      orderMessage({ order: 'ORD-1', photo: await drawSmallWoundPhoto(), mode: ['AL', 'NE'] }),
    );
    expect(fieldOf(answer!, 'MSA', 1)).toBe('CA');
    await hospital.result('ORD-1');
  });

  it('follow a reviewed report with a final result', async () => {
    await hospital.send(orderMessage({ order: 'ORD-1', photo: await drawSmallWoundPhoto() }));
    await hospital.result('ORD-1');
    const [report] = await untilFound<DiagnosticReport>('DiagnosticReport?status=preliminary', 1);
    const review = { decision: 'accept', reviewer: { id: '31', name: 'Petra Pflege' } };
    const read = await hospital.client.request('GET', `/api/v1/reports/${report!.id}`);
    const answer = await hospital.client.request('POST', `/api/v1/reports/${report!.id}/reviews`, {
      json: review,
      headers: { 'if-match': read.headers.get('etag')! },
    });
    expect(answer.status).toBeLessThan(300);
    const final = await hospital.result('ORD-1', 2);
    expect([fieldOf(final, 'OBR', 25), fieldOf(final, 'ORC', 5)]).toEqual(['F', 'CM']);
  });

  it('take a cancel before their photo has come', async () => {
    await hospital.send(orderChange('ORD-1', 'NW', 'C-1'));
    const answer = await hospital.send(orderChange('ORD-1', 'CA', 'C-2'));
    expect(fieldOf(answer!, 'MSA', 1)).toBe('AA');
    expect(await found<ServiceRequest>('ServiceRequest?identifier=ORD-1')).toMatchObject([{ status: 'revoked' }]);
    expect(await found<Task>('Task?status=cancelled')).toHaveLength(1);
    expect(fieldOf((await hospital.send(orderChange('ORD-9', 'CA', 'C-3')))!, 'MSA', 1)).toBe('AE');
  });

  it('carry a result with a photo of ten megabytes through', async () => {
    // A JPEG ends at its end marker: what stands behind it is carried, and costs no analysis.
    const photo = Buffer.concat([await drawSmallWoundPhoto(), randomBytes(8_000_000)]);
    const message = orderMessage({ order: 'ORD-1', photo, kind: 'ORU' });
    expect(message.length).toBeGreaterThan(10_000_000);
    const answer = await hospital.send(message);
    expect(fieldOf(answer!, 'MSA', 1)).toBe('AA');
    expect(
      pdfOf(await hospital.result('ORD-1'))
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  it('go on with the series of a patient whose records were joined, and nothing is sent again for that', async () => {
    await hospital.send(
      orderMessage({
        order: 'ORD-1',
        mrn: 'MRN-OLD',
        photo: await drawSmallWoundPhoto({ seed: 1 }),
        taken: '20260315',
      }),
    );
    await hospital.result('ORD-1');
    // Told by the record's id as it was: whoever asked then hears of the patient under the new one.
    const [old] = await untilFound<Patient>(`Patient?identifier=${MRN_SYSTEM}|MRN-OLD`, 1);
    const receiver = await WebhookReceiver.start();
    const asked = { criteria: `DiagnosticReport?patient=Patient/${old!.id}&status=preliminary,final` };
    const { id } = await createSubscription(hospital.client, subscriptionTo(receiver.url, asked, content('id-only')));
    await becomes(hospital.client, id, 'active');
    receiver.forget();
    const merged = (await hospital.send(mergeMessage('MRN-NEW', 'MRN-OLD', 'M-1')))!;
    expect([fieldOf(merged, 'MSA', 1), merged]).toEqual(['AA', merged]);
    await hospital.send(
      orderMessage({
        order: 'ORD-2',
        mrn: 'MRN-OLD',
        photo: await drawSmallWoundPhoto({ seed: 2 }),
        taken: '20260322',
      }),
    );
    expect(valuesOf(await hospital.result('ORD-2'), 'area-change-since-previous')).toHaveLength(1);
    expect(hospital.resultsOf('ORD-1')).toHaveLength(1);
    expect(await found<Patient>(`Patient?identifier=${MRN_SYSTEM}|MRN-OLD`)).toEqual(
      expect.arrayContaining([expect.objectContaining({ active: false })]),
    );
    const [survivor] = await found<Patient>(`Patient?identifier=${MRN_SYSTEM}|MRN-NEW`);
    expect(await found<BodyStructure>(`BodyStructure?patient=Patient/${survivor!.id}`)).toHaveLength(1);
    const reports = await untilFound<DiagnosticReport>(`DiagnosticReport?patient=Patient/${survivor!.id}`, 2);
    try {
      await eventually('both reports to be told', () => {
        const told = new Set(receiver.received.map(({ event }) => event.entry[1].fullUrl.split('/').at(-1) as string));
        return reports.every((report) => told.has(report.id!));
      });
    } finally {
      await receiver.stop();
    }
  });

  it('say nothing of a message in the log', async () => {
    await hospital.send(orderMessage({ order: 'ORD-1', photo: await drawSmallWoundPhoto() }));
    await hospital.result('ORD-1');
    for (const text of ['Beispiel', 'Änna', 'MRN-1', 'ORD-1', 'Am Stein', 'dressing'])
      expect(gateway.logs).not.toContain(text);
    const rows = await queryDatabase<{ count: number }>(
      gateway.databaseUrl,
      `select count(*)::int as count from hl7_inbound where state = 'received' and organization_id = $1`,
      [hospital.organizationId],
    );
    expect(rows).toEqual([{ count: 0 }]);
  });
});
