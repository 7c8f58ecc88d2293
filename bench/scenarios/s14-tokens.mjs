import { Agent, request } from 'node:http';
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { loadJobs, pickJobs } from '../lib/bulk-jobs.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { timeRequests } from '../lib/load-http.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { describeLatencies } from '../lib/statistics.mjs';
import { createTenants, uploadPhoto } from '../lib/tenants.mjs';

const JOBS = 1000;
const POLLS_PER_S = 100;
const TOKENS_PER_S = 1000;
const LANES = 50;
const ADDRESSES = 200;
/** An assertion lives five minutes at most. */
const LIFE_S = 290;
const ALGORITHM = 'RS384';

/** Polls beside a thousand requests for tokens a second: from one address, which the throttle mostly refuses, and from many. */
export const s14 = {
  id: 's14',
  name: 'requests for tokens',
  unit: 'requests/s',
  goal: `p99 of polls beside ${TOKENS_PER_S} requests for tokens a second at most max(3 × idle, 50 ms)`,
  async run({ postgres, secs, rounds }) {
    const databaseUrl = await postgres.createDatabase();
    // Each request names its sender, as a proxy does.
    const gateway = await startGateway({ databaseUrl, env: { TRUST_PROXY: 'loopback', SUTURA_WORKER_PROCESSES: '1' } });
    try {
      const tenants = await createTenants(gateway, 1);
      const polls = await pollsOf(gateway, databaseUrl, tenants);
      const client = await createClient(gateway, tenants[0]);
      const lengthS = secs * rounds;
      const idleMs = describeLatencies(await polls(lengthS));
      const limitMs = Math.max(3 * idleMs.p99, 50);
      const oneAddress = await beside(gateway, polls, await signed(gateway, client, lengthS, 1), lengthS);
      const manyAddresses = await beside(gateway, polls, await signed(gateway, client, lengthS, ADDRESSES), lengthS);
      const passed = [oneAddress, manyAddresses].every(
        ({ pollMs, issued, askedPerSecond }) =>
          pollMs.p99 <= limitMs && issued > 0 && askedPerSecond >= 0.9 * TOKENS_PER_S,
      );
      return { ratio: null, idleMs, oneAddress, manyAddresses, limitMs, passed };
    } finally {
      await gateway.stop();
    }
  },
};

async function pollsOf(gateway, databaseUrl, tenants) {
  const [photo] = await drawPhotos(['1 MP']);
  tenants[0].imageId = await uploadPhoto(gateway, tenants[0], photo.bytes);
  await loadJobs(databaseUrl, tenants, JOBS);
  const jobs = await pickJobs(databaseUrl, tenants, JOBS / 2);
  let turn = 0;
  const next = () => {
    const { id, tenant } = jobs[(turn += 1) % jobs.length];
    return { path: `/api/v1/analysis/jobs/${id}`, headers: { authorization: tenant.authorization } };
  };
  return (secs) => timeRequests({ url: gateway.baseUrl, lanes: 4, secs, perSecond: POLLS_PER_S, next });
}

async function createClient(gateway, { organizationId }) {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid: randomUUID(), alg: ALGORITHM };
  const { id } = await gateway.admin('POST', `/organizations/${organizationId}/clients`, {
    environment: 'test',
    name: 'Bench',
    scopes: ['system/*.rs'],
    jwks: { keys: [key] },
  });
  return { id, privateKey, kid: key.kid };
}

/** As many requests as will be sent, each with an assertion of its own, made before anything is measured. */
async function signed(gateway, { id, privateKey, kid }, secs, addresses) {
  const exp = Math.floor(Date.now() / 1000) + LIFE_S;
  const sign = () =>
    new SignJWT({ iss: id, sub: id, aud: `${gateway.baseUrl}/auth/token`, exp, jti: randomUUID() })
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
      .sign(privateKey);
  const requests = [];
  while (requests.length < secs * TOKENS_PER_S) {
    const batch = await Promise.all(Array.from({ length: 100 }, sign));
    for (const assertion of batch)
      requests.push({ body: formOf(assertion), address: `203.0.113.${requests.length % addresses}` });
  }
  return requests;
}

const formOf = (assertion) =>
  new URLSearchParams({
    grant_type: 'client_credentials',
    scope: 'system/*.rs',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  }).toString();

async function beside(gateway, polls, requests, secs) {
  const [pollMs, tokens] = await Promise.all([polls(secs), flood(gateway.baseUrl, requests, secs)]);
  return { pollMs: describeLatencies(pollMs), ...tokens };
}

/** Sends the requests evenly over the time, a lane each; counts how many brought a token. */
async function flood(url, requests, secs) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  const began = performance.now();
  const statuses = {};
  let sent = 0;
  const lane = async () => {
    for (let at = sent++; at < requests.length; at = sent++) {
      const dueMs = began + (at * 1000) / TOKENS_PER_S - performance.now();
      if (dueMs > 0) await new Promise((due) => setTimeout(due, dueMs));
      if (performance.now() - began > secs * 1000) break;
      const status = await post({ hostname, port, agent }, requests[at]);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  agent.destroy();
  const asked = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return {
    askedPerSecond: (asked * 1000) / (performance.now() - began),
    issued: statuses[200] ?? 0,
    refused: statuses[429] ?? 0,
    others: asked - (statuses[200] ?? 0) - (statuses[429] ?? 0),
  };
}

function post(place, { body, address }) {
  return new Promise((answered, failed) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      'x-forwarded-for': address,
    };
    const asked = request({ ...place, method: 'POST', path: '/auth/token', headers }, (answer) => {
      answer.resume();
      answer.once('end', () => answered(answer.statusCode));
    });
    asked.once('error', failed);
    asked.end(body);
  });
}
