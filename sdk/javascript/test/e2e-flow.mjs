// The whole flow with the built package against a real service: node e2e-flow.mjs photo.jpg
// Needs SUTURA_BASE_URL and SUTURA_API_KEY (a key with all scopes). Prints one line of JSON; ends with 1 where an expectation does not hold.
import assert from 'node:assert/strict';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConflictError, NotFoundError, SuturaClient } from '../dist/index.mjs';
import { checkFollowUp } from './e2e-follow-up.mjs';

const TEXT = 'Ferse links, Tag 12: gerötet 🩹';

/** The same photo from a path, from memory, from a Blob and from streams. */
async function analyse(client, photo) {
  const steps = [];
  const bytes = readFileSync(photo);
  const subject = { patientId: 'javascript-e2e', woundId: 'W1', laterality: 'left' };
  const jobs = [
    await client.analyzeImageAndWait({
      file: photo,
      clinicalContext: TEXT,
      subject,
      calibration: { mmPerPixel: 0.2 },
      onProgress: (step) => steps.push(step),
    }),
  ];
  for (const file of [bytes, new Blob([bytes]), createReadStream(photo), new Blob([bytes]).stream()])
    jobs.push(await client.analyzeImageAndWait({ file }));
  assert.equal(steps.filter(({ phase }) => phase === 'upload').at(-1).sentBytes, statSync(photo).size);
  assert.deepEqual([steps.at(-1).phase, steps.at(-1).job.status], ['wait', 'completed']);
  return jobs;
}

function checkResults([first, ...others]) {
  assert.deepEqual([first.clinicalContext, first.subject.woundId, first.result.scale.source], [TEXT, 'W1', 'client']);
  assert.ok(first.result.wounds[0].area.cm2.value > 0);
  for (const { status, result, error } of others) {
    assert.deepEqual(
      [status, error, result.woundDetected, result.wounds[0].area.cm2],
      ['completed', undefined, true, null],
    );
    assert.equal(result.wounds[0].area.pixels, first.result.wounds[0].area.pixels);
  }
}

async function checkReading(client, jobs) {
  assert.deepEqual(await client.getJob(jobs[0].id), jobs[0]);
  const page = await client.listJobs({ limit: 2 });
  assert.deepEqual([page.items.length, typeof page.nextCursor], [2, 'string']);
  const seen = [];
  for await (const { id } of client.iterateJobs({ limit: 2 })) seen.push(id);
  for (const { id } of jobs) assert.ok(seen.includes(id));
  const found = await client.listJobs({
    patientId: 'javascript-e2e',
    woundId: 'W1',
    status: 'completed',
    createdAfter: new Date(Date.now() - 3_600_000),
  });
  assert.deepEqual(
    found.items.map(({ id }) => id),
    [jobs[0].id],
  );
  const usage = await client.getUsage();
  assert.ok(usage.used >= jobs.length && usage.limit === usage.used + usage.remaining);
}

async function checkSteps(client, photo) {
  const ticket = await client.getUploadUrl({ contentType: 'image/jpeg' });
  const { imageId } = ticket;
  await assert.rejects(
    client.createAnalysisJob({ imageId }),
    (fault) => fault instanceof ConflictError && fault.code === 'image.not_uploaded' && fault.requestId !== undefined,
  );
  const { sizeBytes } = await client.uploadFileToSignedUrl({ ...ticket, file: photo });
  // The same bytes may be sent again.
  assert.equal((await client.uploadFileToSignedUrl({ ...ticket, file: photo })).sizeBytes, sizeBytes);
  const { used } = await client.getUsage();
  const idempotencyKey = `e2e-${imageId}`;
  const [first, again] = [
    await client.createAnalysisJob({ imageId, idempotencyKey }),
    await client.createAnalysisJob({ imageId, idempotencyKey }),
  ];
  assert.deepEqual([again.id, (await client.getUsage()).used], [first.id, used + 1]);
  return client.waitForJob(first.id, { timeoutMs: 60_000 });
}

async function checkPicturesAndDeletion(client, job) {
  const folder = await mkdtemp(join(tmpdir(), 'sutura-e2e-'));
  const path = join(folder, 'picture');
  try {
    const overlay = await client.downloadArtifact({ jobId: job.id, artifact: 'overlay', path });
    assert.equal(overlay.sizeBytes, statSync(path).size);
    const mask = await client.downloadArtifact({ jobId: job.id, artifact: 'mask', path });
    assert.deepEqual([mask.contentType, readFileSync(path).subarray(1, 4).toString()], ['image/png', 'PNG']);
    await rm(path);
    const image = await client.getImage(job.imageId);
    assert.deepEqual([image.status, image.contentType, image.readable], ['stored', 'image/jpeg', true]);
    await client.deleteImage(job.imageId);
    await assert.rejects(client.getImage(job.imageId), { name: 'GoneError', code: 'image.unavailable' });
    assert.equal((await client.getJob(job.id)).status, 'completed');
    await assert.rejects(
      client.downloadArtifact({ jobId: job.id, artifact: 'overlay', path }),
      (fault) => fault instanceof NotFoundError && fault.code === 'artifact.not_found',
    );
    assert.deepEqual(readdirSync(folder), []);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const client = new SuturaClient();
const photo = process.argv[2];
const jobs = await analyse(client, photo);
checkResults(jobs);
await checkReading(client, jobs);
jobs.push(await checkSteps(client, photo));
await checkFollowUp(client, photo, jobs[0]);
await checkPicturesAndDeletion(client, jobs[0]);
await assert.rejects(client.getJob('01997f2f-0b52-7c41-9d3e-2a6f8c1e7b90'), {
  name: 'NotFoundError',
  status: 404,
  code: 'job.not_found',
});
process.stdout.write(`${JSON.stringify({ ok: true, node: process.versions.node, jobs: jobs.map(({ id }) => id) })}\n`);
