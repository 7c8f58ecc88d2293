import { setTimeout as pause } from 'node:timers/promises';
import { decideOverRest } from '../../scripts/demo-ehr/rest-decision.mjs';
import { loadFakeEhr } from '../../scripts/fake-ehr/load-fake-ehr.mjs';
import { processorMs } from '../budget/costs.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { createTenants, uploadPhoto, waitForJob } from '../lib/tenants.mjs';

const MOST_MS = 15;
const REPORTS = 25;
/** Each connection plans a statement anew until its sixth run, and code is compiled while it is used. */
const WARM_UPS = 3;
const PATIENCE_MS = 120_000;
const SCOPES = ['images:write', 'analysis:write', 'analysis:read', 'analysis:review'];
const PATIENT_SYSTEM = 'urn:oid:2.999.1';
const REVIEWER = { id: 'HCP-1', name: 'Ada Winter' };
const FILED_TYPES = [
  'Patient.rs',
  'Encounter.rs',
  'DocumentReference.crus',
  'Observation.crus',
  'DiagnosticReport.crus',
];

/** Reports accepted in an organization whose results an EHR on this machine takes, and in one without an EHR. */
export const s22 = {
  id: 's22',
  name: 'results filed in an EHR',
  unit: 'ms',
  goal: `at most ${MOST_MS} ms of the gateway's processor time for each result filed, the PDF apart; PostgreSQL's and the EHR's are told beside`,
  async run({ postgres }) {
    const databaseUrl = await postgres.createDatabase();
    const gateway = await startGateway({ databaseUrl, env: { SUTURA_EHR_NETWORKS: '127.0.0.0/8' } });
    const { startFakeEhr } = await loadFakeEhr();
    const ehr = await startFakeEhr({ dialect: 'transaction' });
    try {
      const [filing, plain] = await createTenants(gateway, 2, SCOPES);
      await register(gateway, filing, ehr);
      const spent = { filing: [], plain: [] };
      for (let round = 0; round < WARM_UPS + 2; round += 1)
        for (const [name, tenant] of [
          ['filing', filing],
          ['plain', plain],
        ]) {
          const reports = await finalReports(gateway, tenant, round);
          const filedBefore = filedIn(ehr);
          const before = processorMs(gateway.child.pid, databaseUrl);
          await acceptAll(gateway, tenant, reports);
          if (name === 'filing') await untilFiled(ehr, filedBefore + reports.length);
          // As long in both: what a gateway does by the clock falls on both alike.
          await pause(4000);
          const after = processorMs(gateway.child.pid, databaseUrl);
          if (round >= WARM_UPS) spent[name].push(eachOf(before, after));
        }
      const wrong = [...ehr.control.objections, ...ehr.verify()];
      if (wrong.length > 0) throw new Error(`The EHR is not as it must be: ${wrong[0]}`);
      const added = (part) => mean(spent.filing.map((one) => one[part])) - mean(spent.plain.map((one) => one[part]));
      const gatewayMs = added('gatewayMs');
      return {
        ratio: null,
        gatewayMs,
        postgresMs: added('postgresMs'),
        results: REPORTS,
        passed: gatewayMs <= MOST_MS,
      };
    } finally {
      await ehr.stop();
      await gateway.stop();
    }
  },
};

async function register(gateway, { organizationId }, ehr) {
  const identifiers = [{ system: PATIENT_SYSTEM, value: 'PUSH-1' }];
  ehr.control.addPatient({ identifiers, family: 'Example', given: 'Ada' });
  const token = ehr.control.issueToken(
    FILED_TYPES.map((type) => `system/${type}`),
    { lifeS: 86_400 },
  );
  await gateway.admin('POST', `/organizations/${organizationId}/ehrs`, {
    environment: 'test',
    name: 'Bench EHR',
    fhirBaseUrl: ehr.fhirBaseUrl,
    patientSystem: PATIENT_SYSTEM,
    push: {
      enabled: true,
      dialect: 'transaction',
      auth: 'bearer',
      token,
      send: ['observations', 'diagnostic-report'],
      encounterRule: 'none',
    },
  });
}

/** Analysed, and not yet decided on: each of a wound of its own. */
async function finalReports(gateway, tenant, round) {
  const [photo] = await drawPhotos();
  const reports = [];
  for (let made = 0; made < REPORTS; made += 1) {
    const imageId = await uploadPhoto(gateway, tenant, photo.bytes);
    const subject = { patientId: 'PUSH-1', patientSystem: PATIENT_SYSTEM, woundId: `W-${round}-${made}` };
    const answer = await call(gateway, tenant, 'POST', '/analysis/jobs', {
      imageId,
      subject,
      calibration: { mmPerPixel: 0.2 },
      capturedAt: new Date(Date.now() - 60_000).toISOString(),
    });
    const { links } = await waitForJob(gateway, tenant, answer.id);
    const [, id] = /reports\/([0-9a-f-]{36})/.exec(links.report);
    reports.push(id);
  }
  return reports;
}

async function acceptAll({ baseUrl }, { key }, reports) {
  for (const id of reports) await decideOverRest({ url: baseUrl, key }, id, { decision: 'accept' }, REVIEWER);
}

async function call({ baseUrl }, { authorization }, method, path, body) {
  const answer = await fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const filedIn = ({ control }) => control.resources('DiagnosticReport').length;

async function untilFiled(ehr, count) {
  const until = performance.now() + PATIENCE_MS;
  while (filedIn(ehr) < count) {
    if (performance.now() > until) throw new Error(`${filedIn(ehr)} of ${count} results are filed`);
    await pause(20);
  }
}

const eachOf = (before, after) =>
  Object.fromEntries(Object.keys(before).map((name) => [name, (after[name] - before[name]) / REPORTS]));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
