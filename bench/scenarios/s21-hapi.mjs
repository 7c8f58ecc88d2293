import { compareAbba } from '../lib/abba.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { loadHttp } from '../lib/load-http.mjs';
import { createTenants } from '../lib/tenants.mjs';
import { observationOf } from './s5-fhir-create.mjs';
import { drawPhotoOf, PHOTO_BYTES, transaction } from './s6-fhir-transaction.mjs';

const FHIR_JSON = 'application/fhir+json';
const CONNECTIONS = 8;
const PATIENTS = 100;
const PER_PATIENT = 20;
/** How many times as many answers a second as HAPI's server gives. */
const GOALS = { create: 4, transaction: 3, read: 3, search: 4 };

/**
 * HAPI's JPA server beside the gateway, which is given a database of as many connections as HAPI's. HAPI validates nothing, unless it was told to, and
 * answers a search that it answered within a minute from what it kept.
 */
export const s21 = {
  id: 's21',
  name: "beside HAPI's JPA server",
  unit: 'ratio of requests/s',
  goal: Object.entries(GOALS)
    .map(([name, goal]) => `${name} ${goal}`)
    .join(', '),
  async run({ postgres, secs, rounds }) {
    const address = process.env.SUTURA_BENCH_HAPI_URL;
    if (address === undefined) throw new Error("SUTURA_BENCH_HAPI_URL names no HAPI server's base.");
    const databaseUrl = await postgres.createDatabase();
    const env = { SUTURA_ROLES: 'api', SUTURA_DATABASE_POOL: String(CONNECTIONS) };
    const gateway = await startGateway({ databaseUrl, env });
    const [{ authorization }] = await createTenants(gateway, 1);
    const sides = {
      ours: await filled({ base: `${gateway.baseUrl}/fhir`, headers: { authorization } }),
      hapi: await filled({ base: address.replace(/\/$/, ''), headers: {} }),
    };
    const photo = await drawPhotoOf(PHOTO_BYTES);
    const found = {};
    for (const name of Object.keys(GOALS)) {
      const rate = (side) => async () =>
        (await loadHttp({ url: side.base, connections: CONNECTIONS, secs, requests: requestsOf(name, side, photo) }))
          .perSecond;
      const { ratio, ratios, ours, floor } = await compareAbba(rounds, {
        ours: rate(sides.ours),
        floor: () => gateway.pausedDuring(rate(sides.hapi)),
      });
      found[name] = { ratio, ratios, ours, hapi: floor };
    }
    await gateway.stop();
    return { ...found, passed: Object.entries(GOALS).every(([name, goal]) => found[name].ratio >= goal) };
  },
};

/** Patients with twenty Observations each, through the door. */
async function filled(side) {
  const headers = { ...side.headers, 'content-type': FHIR_JSON };
  const [patients, observations] = [[], []];
  for (let made = 0; made < PATIENTS; made += 1) {
    const fullUrl = `urn:uuid:00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
    const post = (resource) => ({ resource, request: { method: 'POST', url: resource.resourceType } });
    const entry = [
      { fullUrl, ...post({ resourceType: 'Patient', name: [{ family: 'Example', given: [`Ada${made}`] }] }) },
      ...Array.from({ length: PER_PATIENT }, () => post(observationOf(fullUrl))),
    ];
    const answer = await fetch(side.base, {
      method: 'POST',
      headers,
      body: JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry }),
    });
    if (answer.status !== 200) throw new Error(`${side.base}: ${answer.status} ${await answer.text()}`);
    for (const { response } of (await answer.json()).entry) {
      const [type, id] = /([A-Z][A-Za-z]+)\/([^/]+)/.exec(response.location).slice(1);
      (type === 'Patient' ? patients : observations).push(id);
    }
  }
  return { ...side, patients, observations };
}

/** Of autocannon's kind: sent in turn. */
function requestsOf(name, { base, headers, patients, observations }, photo) {
  const { pathname } = new URL(base);
  const get = (path) => ({ method: 'GET', path: `${pathname}${path}`, headers });
  const post = (path, resource) => ({
    method: 'POST',
    path: `${pathname}${path}`,
    headers: { ...headers, 'content-type': FHIR_JSON },
    body: JSON.stringify(resource),
  });
  switch (name) {
    case 'create':
      return patients.map((id) => post('/Observation', observationOf(`Patient/${id}`)));
    case 'transaction':
      return [post('', transaction(photo))];
    case 'read':
      return observations.map((id) => get(`/Observation/${id}`));
    default:
      return patients.map((id) => get(`/Observation?patient=${id}&_count=${PER_PATIENT}`));
  }
}
