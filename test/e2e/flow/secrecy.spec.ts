import { send } from '../../support/api-client.js';
import { startGateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const MARKERS = {
  context: 'MARKER-CONTEXT-9a1',
  patient: 'MARKER-PATIENT-9a2',
  wound: 'MARKER-WOUND-9a3',
  site: 'MARKER-SITE-9a4',
  metadata: 'MARKER-METADATA-9a5',
  exif: 'MARKER-EXIF-9a6',
  idempotency: 'MARKER-IDEMPOTENCY-9a7',
};

describe('what the gateway prints', () => {
  it('carries no key, signature or clinical text at the most talkative level, through successes and refusals', async () => {
    const gateway = await startGateway({ env: { SUTURA_LOG_LEVEL: 'debug' } });
    const client = await gateway.createClient();
    const { body: ticket } = await client.requestUpload();
    await client.putPhoto(ticket.uploadUrl, await drawWoundPhoto({ description: MARKERS.exif }), ticket.headers);
    const subject = { patientId: MARKERS.patient, woundId: MARKERS.wound, bodySite: { display: MARKERS.site } };
    const body = {
      imageId: ticket.imageId,
      clinicalContext: MARKERS.context,
      subject,
      metadata: { note: MARKERS.metadata },
    };
    const job = await client.createJob(body, { 'idempotency-key': MARKERS.idempotency });
    await client.waitForJob(job.body.id);
    await client.request('GET', `/api/v1/analysis/jobs?patientId=${MARKERS.patient}`);
    await client.createJob({ ...body, clinicalContext: `${MARKERS.context}\u0000`, [MARKERS.metadata]: 1 });
    await client.request('POST', '/api/v1/analysis/jobs', {
      bytes: Buffer.from(`{"clinicalContext":"${MARKERS.context}`),
      headers: { 'content-type': 'application/json' },
    });
    await client.putPhoto(`${ticket.uploadUrl}0`, await drawWoundPhoto());
    await send('GET', `${gateway.baseUrl}/api/v1/usage`, { key: `${(client.key ?? '').slice(0, -1)}~` });
    await send('GET', `${gateway.baseUrl}/api/v1/usage?key=${client.key}`, {});
    await gateway.stop();

    const printed = gateway.logs;
    expect(gateway.process.lines.length).toBeGreaterThan(3);
    for (const marker of Object.values(MARKERS)) expect(printed).not.toContain(marker);
    expect(printed).not.toContain((client.key ?? '').slice(9));
    const query = new URL(ticket.uploadUrl).searchParams;
    const secrets = [...query.values()].filter((value) => value.length >= 32 && value !== ticket.imageId);
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) expect(printed).not.toContain(secret);
  });
});
