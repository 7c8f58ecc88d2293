import { randomBytes } from 'node:crypto';
import { ALLOWED_ATTRIBUTES, SPAN_NAMES } from '../../../src/platform/tracing/allowed.js';
import { expectStatus } from '../../support/api-client.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { attributesOf, OtlpCollector } from '../../support/otlp-collector.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const MARKERS = {
  context: 'MARKER-CONTEXT-7b1',
  patient: 'MARKER-PATIENT-7b2',
  wound: 'MARKER-WOUND-7b3',
  metadata: 'MARKER-METADATA-7b4',
  state: 'MARKER-STATE-7b5',
  order: 'MARKER-ORDER-7b6',
};
const ANALYSIS = [
  'analysis',
  'analysis.attempt',
  'analysis.load',
  'analysis.compute',
  'analysis.store',
  'analysis.end',
];

const traceIdOf = (reportId: string): string => reportId.replaceAll('-', '');

describe('a gateway with a collector', () => {
  let collector: OtlpCollector;
  let gateway: Gateway;
  let hospital: Hl7Hospital;
  beforeAll(async () => {
    collector = await OtlpCollector.start();
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
      OTEL_BSP_SCHEDULE_DELAY: '200',
      SUTURA_LEASE_S: '30',
    };
    gateway = await startGateway({ env });
    hospital = await Hl7Hospital.open(gateway);
  });
  afterAll(async () => {
    await hospital?.close();
    await gateway?.stop();
    await collector?.stop();
  });

  it('shows a photo from the caller’s request to its delivery over HL7 v2', async () => {
    const { client } = hospital;
    const callers = { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') };
    const imageId = await client.uploadPhoto(await drawWoundPhoto({ seed: 5 }));
    const created = expectStatus(
      201,
      await client.createJob(
        {
          imageId,
          clinicalContext: MARKERS.context,
          subject: { patientId: MARKERS.patient, woundId: MARKERS.wound },
          metadata: { note: MARKERS.metadata },
        },
        { traceparent: `00-${callers.traceId}-${callers.spanId}-01`, tracestate: `ehr=${MARKERS.state}` },
      ),
    );
    const job = await client.waitForJob(created.body.id as string);
    const reportId = (job['links'] as { report: string }).report.split('/').at(-1)!;

    const asked = await collector.ofTrace(callers.traceId, ['POST /api/v1/analysis/jobs', 'event.handle']);
    const request = asked.find(({ name }) => name.startsWith('POST'))!;
    expect(asked.find(({ name }) => name === 'event.handle')!.parentSpanId).toBe(request.spanId);
    expect(request).toMatchObject({ parentSpanId: callers.spanId, events: [] });
    expect(attributesOf(request)).toMatchObject({
      'http.route': '/api/v1/analysis/jobs',
      'http.response.status_code': 201,
    });

    const spans = await collector.ofTrace(traceIdOf(reportId), [...ANALYSIS, 'event.handle', 'delivery.attempt']);
    const first = spans.find(({ name }) => name === 'analysis')!;
    expect(first.parentSpanId ?? '').toBe('');
    expect(request.links).toMatchObject([{ traceId: traceIdOf(reportId), spanId: first.spanId }]);
    const attempt = spans.find(({ name }) => name === 'analysis.attempt')!;
    const delivery = spans.find(({ name }) => name === 'delivery.attempt')!;
    expect([attempt.parentSpanId, delivery.parentSpanId]).toEqual([first.spanId, first.spanId]);
    expect(attributesOf(delivery)['sutura.delivery.outcome']).toBe('accepted');
    expect(BigInt(first.startTimeUnixNano)).toBeLessThanOrEqual(BigInt(attempt.startTimeUnixNano));
    expect(BigInt(first.endTimeUnixNano)).toBeGreaterThan(BigInt(attempt.startTimeUnixNano));
    for (const name of ANALYSIS.slice(2))
      expect(spans.find((span) => span.name === name)!.parentSpanId).toBe(attempt.spanId);
  });

  it('shows an order over HL7 v2 with its message', async () => {
    const answer = await hospital.send(
      orderMessage({ order: MARKERS.order, photo: await drawWoundPhoto({ seed: 6 }), mrn: MARKERS.patient }),
    );
    expect(answer).toContain('MSA|AA|');
    await hospital.result(MARKERS.order);
    const processed = collector.spans.find(({ name }) => name === 'hl7.process');
    expect(attributesOf(processed!)).toMatchObject({ 'sutura.hl7.message.outcome': 'AA' });
    const analysis = processed!.links[0];
    expect(await collector.ofTrace(analysis!.traceId, ['analysis'])).toContainEqual(
      expect.objectContaining({ spanId: analysis!.spanId }),
    );
  });

  it('says nothing of a patient, whatever callers send', async () => {
    const { client } = hospital;
    await client.request('GET', `/api/v1/analysis/jobs?patientId=${MARKERS.patient}`);
    await client.request('GET', `/fhir/Patient/${MARKERS.patient}?name=${MARKERS.patient}`);
    await client.request('GET', `/${MARKERS.patient}`);
    await client.request('POST', '/api/v1/analysis/jobs', {
      bytes: Buffer.from(`{"clinicalContext":"${MARKERS.context}`),
      headers: { 'content-type': 'application/json', baggage: `patient=${MARKERS.patient}` },
    });
    const [ended] = await collector.ofTrace(await requestInNewTrace(client.key ?? ''), ['GET /api/v1/usage']);
    expect(ended).toBeDefined();

    expect(collector.spans.length).toBeGreaterThan(15);
    for (const marker of Object.values(MARKERS)) expect(collector.received).not.toContain(marker);
    expect(collector.received).not.toContain((client.key ?? '').slice(9));
    const allowed = new Set<string>(ALLOWED_ATTRIBUTES);
    const named = new Set<string>(SPAN_NAMES);
    for (const span of collector.spans) {
      expect(span.attributes.map(({ key }) => key).filter((key) => !allowed.has(key))).toEqual([]);
      expect(named.has(span.name) || /^[A-Z]+ (?:\/[\w:*/$.{}-]*|\(no route\))$/.test(span.name)).toBe(true);
      expect([span.events, span.status.message ?? '']).toEqual([[], '']);
    }
    expect(collector.spans.filter(({ name }) => name.includes('/health') || name.includes('/metrics'))).toEqual([]);
  });

  /** The last of several requests, so that those before it have been told, too. */
  async function requestInNewTrace(key: string): Promise<string> {
    const traceId = randomBytes(16).toString('hex');
    const headers = { authorization: `Bearer ${key}`, traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    await fetch(`${gateway.baseUrl}/api/v1/usage`, { headers });
    return traceId;
  }
});

describe('a gateway whose collector is of no use', () => {
  it.each([
    ['refuses every span', () => 500],
    ['never answers', () => null],
  ])('analyses and stops as without one, and says so once: it %s', async (_case, behave) => {
    const collector = await OtlpCollector.start(behave);
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    };
    const gateway = await startGateway({ env });
    try {
      const client = await gateway.createClient();
      const job = await client.createJob({ imageId: await client.uploadPhoto(await drawWoundPhoto()) });
      expect((await client.waitForJob(job.body.id as string))['status']).toBe('completed');
      await gateway.process.waitForEvent('tracing.collector_unreachable');
      expect(gateway.process.events('tracing.collector_unreachable')).toHaveLength(1);
    } finally {
      await gateway.stop();
      await collector.stop();
    }
    expect(gateway.process.events('server.stopped')).toHaveLength(1);
  });
});
