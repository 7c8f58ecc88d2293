// Wounds, timeline, reports and reviews with the built package against a real service; part of e2e-flow.mjs.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const REVIEWER = { id: 'N-7', name: 'A. Nurse', system: 'urn:example:staff' };
const EARLIER = '2025-03-03T08:00:00Z';

const is = (name, code) => (fault) => fault.name === name && fault.code === code;

/** The photo uploaded once more, as if taken at another time; its report is read, so that it stands in the timeline. */
async function again(client, photo, subject, capturedAt) {
  const job = await client.analyzeImageAndWait({ file: photo, subject, capturedAt, calibration: { mmPerPixel: 0.2 } });
  await client.getReport(job.links.report);
  return job;
}

async function checkWound(client, woundId, subject) {
  const wound = await client.getWound(woundId);
  assert.deepEqual(
    [wound.woundId, wound.patient.id, wound.linked, wound.status, wound.candidates, wound.events],
    [subject.woundId, subject.patientId, true, 'open', [], []],
  );
  const { items } = await client.listWounds({
    patientId: subject.patientId,
    woundId: subject.woundId,
    linked: true,
    status: 'open',
  });
  assert.deepEqual(
    items.map(({ id }) => id),
    [woundId],
  );
  const all = [];
  for await (const { id } of client.iterateWounds({ limit: 2 })) all.push(id);
  assert.ok(all.length > 2 && new Set(all).size === all.length && all.includes(woundId));
  const closed = await client.closeWound(woundId, { reviewer: REVIEWER, note: 'Epithelialised.' });
  assert.deepEqual([closed.status, closed.events.at(-1).reviewer], ['closed', REVIEWER]);
  assert.deepEqual(
    [(await client.closeWound(woundId)).events.length, (await client.reopenWound(woundId)).status],
    [1, 'open'],
  );
}

async function checkMerging(client, photo, subject, job) {
  // On another day: two wounds of one day are not merged.
  const other = await again(client, photo, { ...subject, woundId: 'W2' }, '2025-02-03T08:00:00Z');
  const [{ subject: first }, { subject: second }] = [
    await client.getReport(job.links.report),
    await client.getReport(other.links.report),
  ];
  await assert.rejects(
    client.mergeWound(second.woundRef, { into: second.woundRef }),
    is('ConflictError', 'wound.merge_refused'),
  );
  await assert.rejects(client.unmergeWound(second.woundRef), is('ConflictError', 'wound.not_merged'));
  const merged = await client.mergeWound(second.woundRef, { into: first.woundRef, reviewer: REVIEWER });
  assert.equal(merged.mergedInto, first.woundRef);
  assert.ok((await client.getWoundTimeline(first.woundRef)).assessments.some(({ jobId }) => jobId === other.id));
  assert.equal((await client.unmergeWound(second.woundRef, { note: 'Two after all.' })).mergedInto, null);
}

async function checkTimeline(client, woundId, [early, late]) {
  const { wound, assessments } = await client.getWoundTimeline(woundId);
  assert.equal(wound.id, woundId);
  assert.deepEqual(
    assessments.map(({ jobId, sequence }) => [jobId, sequence]),
    [
      [early.id, 1],
      [late.id, 2],
    ],
  );
  const [first, second] = assessments;
  assert.deepEqual([first.sincePrevious, second.sincePrevious.areaPct, second.noTrendReason], [null, 0, null]);
  const only = await client.getWoundTimeline({ woundId, from: new Date(first.capturedAt), to: first.capturedAt });
  assert.deepEqual(
    only.assessments.map(({ jobId }) => jobId),
    [early.id],
  );
}

const bytesStart = (bytes, text) => assert.equal(Buffer.from(bytes.subarray(0, text.length)).toString(), text);

async function checkDocuments(client, reportId, woundId) {
  bytesStart(await client.downloadReport(reportId, { format: 'pdf', language: 'de' }), '%PDF-');
  assert.match(
    Buffer.from(await client.downloadReport(reportId, { format: 'html', language: 'fr' })).toString(),
    /<html lang="fr"/,
  );
  const [text, spanish] = [
    await client.downloadReport(reportId, { format: 'text' }),
    await client.downloadReport(reportId, { format: 'text', language: 'es' }),
  ];
  assert.ok(text.length > 200 && Buffer.compare(text, spanish) !== 0);
  assert.equal(
    JSON.parse(Buffer.from(await client.downloadReport({ reportId, version: 1, format: 'json' })).toString()).version,
    1,
  );
  bytesStart(await client.downloadWoundReport(woundId, { format: 'pdf', language: 'es' }), '%PDF-');
  bytesStart(await client.downloadWoundEvidence(woundId, { format: 'pdf', language: 'es' }), '%PDF-');
  await assert.rejects(
    client.downloadWoundReport(woundId, { format: 'pdf', to: '2001-01-01T00:00:00Z' }),
    is('NotFoundError', 'report.not_found'),
  );
  await assert.rejects(
    client.downloadReport(reportId, { format: 'pdf', language: 'nl' }),
    is('BadRequestError', 'request.invalid'),
  );
  const folder = await mkdtemp(join(tmpdir(), 'sutura-e2e-'));
  try {
    const path = join(folder, 'report.pdf');
    const { sizeBytes, contentType } = await client.saveReport(reportId, { path, format: 'pdf' });
    const saved = await readFile(path);
    assert.deepEqual([saved.length, contentType], [sizeBytes, 'application/pdf']);
    bytesStart(saved, '%PDF-');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkReviews(client, reportId) {
  const read = await client.getReport(reportId);
  // Merging and separating wounds had made it anew.
  const first = read.version;
  assert.deepEqual([read.status, read.review], ['preliminary', null]);
  const accept = { decision: 'accept', reviewer: REVIEWER };
  const idempotencyKey = `review-${reportId}`;
  const accepted = await client.reviewReport(read, accept, { idempotencyKey });
  assert.deepEqual([accepted.status, accepted.version, accepted.review.reviewer], ['final', first + 1, REVIEWER]);
  // The same decision about the same version under the same key: the first answer, and no stale report.
  assert.deepEqual(await client.reviewReport(read, accept, { idempotencyKey }), accepted);
  await assert.rejects(client.reviewReport(read, accept), is('PreconditionFailedError', 'report.stale'));
  await assert.rejects(
    client.reviewReport(accepted, { decision: 'correct', outlines: [99], reviewer: REVIEWER }),
    is('BadRequestError', 'request.invalid'),
  );
  const tissue = { granulation: 0.75, slough: 0.25, necrosis: 0, other: 0 };
  const corrected = await client.reviewReport(
    { id: reportId, etag: `W/${accepted.etag}` },
    { decision: 'correct', tissue, reviewer: REVIEWER },
  );
  assert.deepEqual(
    [corrected.status, corrected.findings.tissue.slough, corrected.findings.confirmedTissues.includes('slough')],
    ['corrected', 0.25, true],
  );
  const rejected = await client.reviewReport(corrected, {
    decision: 'reject',
    note: 'Another leg.',
    reviewer: REVIEWER,
  });
  assert.equal(rejected.status, 'entered-in-error');
  await assert.rejects(client.reviewReport(rejected, accept), is('ConflictError', 'report.entered_in_error'));
  assert.deepEqual(
    (await client.getReportVersions(reportId)).slice(-4).map(({ version, status }) => [version, status]),
    [
      [first, 'preliminary'],
      [first + 1, 'final'],
      [first + 2, 'corrected'],
      [first + 3, 'entered-in-error'],
    ],
  );
}

/** `job` names a patient and a wound, has a scale, and is the only one of its wound. */
export async function checkFollowUp(client, photo, job) {
  const { subject } = job;
  const report = await client.getReport(job.links.report);
  const woundId = report.subject.woundRef;
  assert.deepEqual([report.jobId, report.findings.figures.area], [job.id, job.result.wounds[0].area]);
  await checkWound(client, woundId, subject);
  const early = await again(client, photo, subject, EARLIER);
  await checkTimeline(client, woundId, [early, job]);
  await checkMerging(client, photo, subject, job);
  await checkDocuments(client, report.id, woundId);
  await checkReviews(client, (await client.getReport(early.links.report)).id);
  await assert.rejects(
    client.getReport('01997f2f-0b52-7c41-9d3e-2a6f8c1e7b90'),
    is('NotFoundError', 'report.not_found'),
  );
  await assert.rejects(client.getWound('01997f2f-0b52-7c41-9d3e-2a6f8c1e7b90'), is('NotFoundError', 'wound.not_found'));
}
