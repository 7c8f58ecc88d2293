import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expectStatus } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital, orderChange, orderMessage } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const ROOT = resolve(__dirname, '../../..');
const UNKNOWN = '01997f2e-0000-7000-8000-00000000beef';
const SUBJECT = { patientId: 'MRN-SECRET-1', woundId: 'W-SECRET-1' };

interface Event {
  readonly what: string;
  readonly resources: readonly string[];
  readonly facts: Readonly<Record<string, string | number>>;
  readonly next: string | null;
}

interface Traced {
  readonly takenFor: readonly string[];
  readonly photos: readonly { readonly imageId: string; readonly events: readonly Event[] }[];
  readonly apart: readonly { readonly events: readonly Event[] }[];
}

let gateway: SharedGateway;
let hospital: Hl7Hospital;
beforeAll(async () => {
  gateway = await sharedGateway();
  hospital = await Hl7Hospital.open(gateway);
});
afterAll(async () => {
  await hospital?.close();
});

/** As a person types it, save for npm. */
async function cli(...words: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: gateway.databaseUrl, SUTURA_DATA_DIR: gateway.dataDir };
  const child = spawn(process.execPath, ['scripts/cli.mjs', ...words], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}

async function traced(id: string): Promise<Traced> {
  return expectStatus(200, await gateway.admin('GET', `/trace?id=${encodeURIComponent(id)}`)).body as Traced;
}

async function tracedUntil(id: string, what: string): Promise<Traced> {
  return eventually(`${what} of ${id}`, async () => {
    const answer = await gateway.admin('GET', `/trace?id=${encodeURIComponent(id)}`);
    return answer.status === 200 && (answer.body as Traced).photos[0]?.events.some((event) => event.what === what)
      ? (answer.body as Traced)
      : undefined;
  });
}

const stepsOf = ({ photos }: Traced): string[] => photos.flatMap(({ events }) => events.map(({ what }) => what));
const nextOf = ({ photos, apart }: Traced): string[] =>
  [...photos, ...apart].flatMap(({ events }) => events.flatMap(({ next }) => next ?? []));

describe('an operator who asks what happened', () => {
  it('hears that nothing is known by an id, and what may be asked for', async () => {
    for (const id of [
      UNKNOWN,
      'Media/none',
      'TRACE-ORD-0',
      "'; drop table images",
      'a\u0000b',
      'Überweisung\u2028',
      `TRACE-${'9'.repeat(190)}`,
    ]) {
      const { status, body } = await gateway.admin('GET', `/trace?id=${encodeURIComponent(id)}`);
      expect([status, body.code, body.detail]).toEqual([
        404,
        'trace.not_found',
        expect.stringContaining('X-Request-Id'),
      ]);
    }
    expect((await gateway.admin('GET', '/trace')).status).toBe(400);
    expect((await hospital.client.request('GET', `/admin/v1/trace?id=${UNKNOWN}`)).status).toBe(401);
    expect(await cli('trace', UNKNOWN)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nothing known by this id (trace.not_found)') as unknown,
    });
    expect(await cli('trace')).toMatchObject({ code: 2, err: expect.stringContaining('ID is missing') as unknown });
  });

  it('hears where a photo stands still: not uploaded, not ordered, not readable, refused', async () => {
    const ticket = expectStatus(201, await hospital.client.requestUpload()).body as {
      imageId: string;
      uploadUrl: string;
      headers: Record<string, string>;
    };
    expect(nextOf(await traced(ticket.imageId))).toEqual([
      expect.stringContaining('is still to be PUT to its address'),
    ]);
    expectStatus(200, await hospital.client.putPhoto(ticket.uploadUrl, await drawWoundPhoto(), ticket.headers));
    expect(nextOf(await traced(ticket.imageId))).toEqual([
      expect.stringContaining('Nobody has asked for the analysis of this photo'),
    ]);

    const broken = await hospital.client.uploadPhoto((await drawWoundPhoto()).subarray(0, 2000));
    expect(nextOf(await traced(broken))).toEqual([expect.stringContaining('damaged or cut off')]);

    expect(
      fieldOf(
        (await hospital.send(
          orderMessage({ order: 'TRACE-ORD-BAD', photo: await drawWoundPhoto({ seed: 3 }), mrn: '' }),
        ))!,
        'MSA',
        1,
      ),
    ).toBe('AE');
    const refused = await traced('TRACE-ORD-BAD');
    expect(refused.photos).toEqual([]);
    expect(refused.apart[0]!.events.map(({ what }) => what)).toEqual(['hl7.received', 'hl7.failed']);
    expect(nextOf(refused)[0]).toMatch(
      /^Message [0-9a-f-]{36}: field\.required: refused\. Have it corrected and sent again/,
    );

    expect(fieldOf((await hospital.send(orderChange('TRACE-ORD-EARLY', 'NW', 'TRACE-C-EARLY')))!, 'MSA', 1)).toBe('AA');
    expect(nextOf(await traced('TRACE-ORD-EARLY'))).toEqual([
      expect.stringContaining('The photo of this order has not come'),
    ]);
  });

  it('hears what happened to a photo that came by REST, by whichever id', async () => {
    const requestId = 'ward-7.visit-12';
    const ticket = expectStatus(201, await hospital.client.requestUpload(undefined, { 'x-request-id': requestId }));
    const { imageId, uploadUrl, headers } = ticket.body as {
      imageId: string;
      uploadUrl: string;
      headers: Record<string, string>;
    };
    expectStatus(200, await hospital.client.putPhoto(uploadUrl, await drawWoundPhoto({ seed: 5 }), headers));
    const created = expectStatus(
      201,
      await hospital.client.createJob({ imageId, subject: SUBJECT, clinicalContext: 'Ferse, Frau Geheim' }),
    );
    const { id: jobId } = created.body as { id: string };
    const { links } = (await hospital.client.waitForJob(jobId)) as { links: { report: string } };
    const reportId = links.report.split('/').at(-1)!;
    const trace = await tracedUntil(imageId, 'hl7.delivered');

    const steps = stepsOf(trace).filter((what) => what !== 'fhir.version');
    // The result and its report are written together, each with its own clock's moment.
    expect(steps.splice(4, 2).sort()).toEqual(['job.completed', 'report.version']);
    expect(steps).toEqual([
      'image.address_requested',
      'image.stored',
      'job.created',
      'job.started',
      'hl7.result_made',
      'hl7.delivered',
    ]);
    const { events } = trace.photos[0]!;
    const factsOf = (what: string) => events.find((event) => event.what === what)!.facts;
    expect(factsOf('image.address_requested')).toEqual({ door: 'rest', key: expect.any(String), request: requestId });
    expect(factsOf('job.completed')).toEqual({ attempts: 1, models: expect.stringMatching(/\/\d/) });
    expect(factsOf('report.version')).toMatchObject({ version: 1, status: 'preliminary' });
    expect(factsOf('hl7.delivered')).toMatchObject({ acknowledged: 'CA' });
    expect(
      events.filter(({ what }) => what === 'fhir.version').map(({ resources }) => resources[0]!.split('/')[0]),
    ).toEqual(expect.arrayContaining(['Media', 'DiagnosticReport']));
    expect(nextOf(trace)).toEqual([expect.stringContaining('preliminary until a person reviews it')]);

    const woundId = (await hospital.client.request('GET', '/api/v1/wounds?woundId=W-SECRET-1')).body.items[0]
      .id as string;
    const messageId = events.find(({ what }) => what === 'hl7.delivered')!.resources[0]!.split('/')[1]!;
    for (const [id, takenFor] of [
      [jobId, 'analysis'],
      [`Task/${jobId}`, 'analysis'],
      [reportId, 'report'],
      [`DiagnosticReport/${reportId}/_history/1`, 'report'],
      [`Observation/${reportId}-area`, 'fhir_resource'],
      [woundId, 'wound'],
      [messageId, 'hl7_message'],
      [requestId, 'request_id'],
      [created.headers.get('x-request-id')!, 'request_id'],
    ] as const) {
      const again = await traced(id);
      expect([id, again.takenFor, again.photos.map((photo) => photo.imageId)]).toEqual([
        id,
        expect.arrayContaining([takenFor]),
        [imageId],
      ]);
    }
    expectStatus(204, await hospital.client.request('DELETE', `/api/v1/images/${imageId}`));
    expect(stepsOf(await traced(imageId))).toContain('image.deleted');
  });

  it('hears what happened to a photo that came by HL7 v2, in the words of the command line', async () => {
    const { receiver } = hospital;
    receiver.refusal = { condition: '103', rest: 'F-17^Facility not known^99EHR', text: 'Not for this house' };
    receiver.modeOf = () => 'reject';
    expect(
      fieldOf(
        (await hospital.send(
          orderMessage({
            order: 'TRACE-ORD-7',
            control: 'TRACE-C-7',
            mrn: 'MRN-SECRET-7',
            photo: await drawWoundPhoto({ seed: 7 }),
          }),
        ))!,
        'MSA',
        1,
      ),
    ).toBe('AA');
    const trace = await tracedUntil('TRACE-ORD-7', 'hl7.parked');
    expect(trace.takenFor).toEqual(['hl7_order_number']);
    const steps = stepsOf(trace).filter((what) => what !== 'fhir.version');
    expect([...steps].sort()).toEqual([
      'hl7.parked',
      'hl7.processed',
      'hl7.received',
      'hl7.refused',
      'hl7.result_made',
      'image.received',
      'image.stored',
      'job.completed',
      'job.created',
      'job.started',
      'report.version',
    ]);
    expect(trace.photos[0]!.events.find(({ what }) => what === 'image.received')!.facts).toMatchObject({
      door: 'hl7v2',
    });
    expect((await traced('TRACE-C-7')).photos[0]!.imageId).toBe(trace.photos[0]!.imageId);

    const { code, out } = await cli('trace', 'TRACE-ORD-7');
    expect(code).toBe(0);
    for (const told of [
      'TRACE-ORD-7 was taken for: hl7 order number.',
      `photo         ${trace.photos[0]!.imageId}`,
      'type=OMG^O19',
      'acknowledged=CR 103',
      'What to do next:\n- ',
      ': refused by its receiver (CR 103). Read the receiver’s words with "hl7 show"',
    ])
      expect(out).toContain(told);
    for (const secret of ['SECRET', 'Beispiel', 'Facility not known', 'Not for this house', 'Pflege'])
      expect(out).not.toContain(secret);

    const rows = await queryDatabase<{ door: string; key_id: string; query: string; resources: string[] }>(
      gateway.databaseUrl,
      `select door, key_id, query, resources from audit_events where interaction = '$trace' order by id`,
    );
    expect(rows.at(-1)).toMatchObject({
      door: 'cli',
      key_id: expect.stringMatching(/^operator:/),
      query: 'as=hl7_order_number',
      resources: [`Media/${trace.photos[0]!.imageId}`],
    });
    expect(rows).toContainEqual(expect.objectContaining({ door: 'admin', key_id: 'operator', query: 'as=image' }));
  });
});
