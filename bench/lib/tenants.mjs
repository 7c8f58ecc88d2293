const SCOPES = ['images:write', 'analysis:write', 'analysis:read'];
const NO_LIMIT = 10_000_000;

/** Organizations with a key each and a quota that no run uses up. */
export async function createTenants(gateway, count, scopes = SCOPES) {
  const tenants = [];
  for (let index = 0; index < count; index += 1) {
    const { organizationId } = await gateway.admin('POST', '/organizations', {
      name: `Bench ${index}`,
      plan: 'enterprise',
    });
    await gateway.admin('PATCH', `/organizations/${organizationId}`, { dailyLimit: NO_LIMIT });
    const { key } = await gateway.admin('POST', `/organizations/${organizationId}/keys`, {
      environment: 'test',
      scopes,
    });
    tenants.push({ organizationId, key, authorization: `Bearer ${key}` });
  }
  return tenants;
}

/** Uploads one photo for a tenant; its image id. */
export async function uploadPhoto(gateway, tenant, bytes) {
  const asked = await fetch(`${gateway.baseUrl}/api/v1/images/upload-url`, {
    method: 'POST',
    headers: { authorization: tenant.authorization },
  });
  if (asked.status !== 201) throw new Error(`upload-url: ${asked.status} ${await asked.text()}`);
  const ticket = await asked.json();
  const put = await fetch(ticket.uploadUrl, { method: 'PUT', headers: ticket.headers, body: bytes });
  if (put.status !== 200) throw new Error(`PUT: ${put.status} ${await put.text()}`);
  return ticket.imageId;
}

/** Creates one job; its id. */
export async function createJob(gateway, tenant, imageId) {
  const headers = { authorization: tenant.authorization, 'content-type': 'application/json' };
  const answer = await fetch(`${gateway.baseUrl}/api/v1/analysis/jobs`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ imageId }),
  });
  if (answer.status !== 201) throw new Error(`create: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).id;
}

/** Holds polls until the job has ended; the job. */
export async function waitForJob(gateway, tenant, jobId) {
  const headers = { authorization: tenant.authorization, prefer: 'wait=30' };
  for (;;) {
    const answer = await fetch(`${gateway.baseUrl}/api/v1/analysis/jobs/${jobId}`, { headers });
    const job = await answer.json();
    if (answer.status !== 200) throw new Error(`poll: ${answer.status} ${job.code}`);
    if (job.status === 'completed' || job.status === 'error') return job;
  }
}
