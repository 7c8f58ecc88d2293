import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { compareAbba } from '../lib/abba.mjs';
import { loadWounds } from '../lib/bulk-wounds.mjs';
import { ask, endProcess, startFloor } from '../lib/child-program.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { timeRequests } from '../lib/load-http.mjs';
import { composeReports, drawSeries } from '../lib/long-wound.mjs';
import { recordOperations } from '../lib/pdf-operations.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { describeLatencies } from '../lib/statistics.mjs';
import { createTenants, uploadPhoto } from '../lib/tenants.mjs';

const FLOOR = resolve(import.meta.dirname, '../floors/raw-pdf.mjs');
/** The report of the eighth photo is set: with the seventh beside it and a curve of eight points. */
const WEEK = 8;
const READERS = 2;
const QUIET_POLLS_PER_S = 100;

/** Setting a report as PDF against pdfkit drawing the same pages by itself; and whether polls stay quick while documents are set. */
export const s8 = {
  id: 's8',
  name: 'report as PDF',
  unit: 'documents/s',
  goal: 'at least 0.50 of pdfkit alone; p99 of polls beside it at most max(3 × idle, 50 ms)',
  async run({ postgres, secs, rounds }) {
    const [photo] = await drawPhotos(['1 MP']);
    const draw = await prepareDocument(photo);
    const floor = await startFloor(FLOOR, {});
    const operations = await recordOperations(draw);
    const { bytes: bareBytes } = await ask(floor, { operations });
    const pages = operations.filter(([name]) => name === 'addPage').length;
    const bare = async () => (await ask(floor, { secs })).perSecond;
    const ours = () => documentsPerSecond(draw, secs);
    // The first documents find out what words look like.
    await Promise.all([bare(), ours()]);
    const compared = await compareAbba(rounds, { ours, floor: bare });
    await endProcess(floor.child, 'SIGKILL');

    const beside = await pollBesideDocuments({ postgres, photo, secs: secs * rounds });
    const limitMs = Math.max(3 * beside.idleMs.p99, 50);
    const size = { pages, bytes: (await draw()).length, bareBytes };
    return {
      ...compared,
      ...size,
      ...beside,
      limitMs,
      passed: compared.ratio >= 0.5 && beside.besideMs.p99 <= limitMs,
    };
  },
};

/** A function that sets the same report anew, as the renderer's thread does. */
async function prepareDocument({ bytes, width, height }) {
  const { ReportRenderer } = await import('../../dist/src/reports/index.js');
  const tenant = { organizationId: randomUUID() };
  const patient = { system: 'urn:oid:2.16.840.1.113883.2.9', value: 'MRN-0047-1182' };
  const reports = composeReports(drawSeries(WEEK), { id: randomUUID(), tenant, woundId: 'ward-7/heel-left', patient });
  const pictureOf = ({ imageId, content }) => ({
    imageId,
    bytes,
    widthPx: width,
    heightPx: height,
    capturedAt: new Date(content.capturedAt),
    widthCm: null,
    scaleBarMm: null,
  });
  const trend = reports.map(({ id, content }) => ({
    reportId: id,
    capturedAt: new Date(content.capturedAt),
    areaCm2: content.findings.figures.area.cm2,
    isFlagged: content.flags.length > 0,
    closure: content.comparison.closure,
  }));
  const compared = [
    ['first', reports[0]],
    ['previous', reports.at(-2)],
    ['current', reports.at(-1)],
  ].map(([place, report]) => ({ place, picture: pictureOf(report), areaCm2: null }));
  const own = pictureOf(reports.at(-1));
  const pictures = { overview: own, closeUp: own, tissueMap: own, compared };
  const reading = {
    report: reports.at(-1),
    heading: null,
    sequence: WEEK,
    readAt: new Date(),
    presentVersion: 1,
    trend,
  };
  const renderer = new ReportRenderer();
  return () => renderer.render(reading, pictures, 'pdf', 'en');
}

async function documentsPerSecond(draw, secs) {
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < secs * 1000) {
    await draw();
    count += 1;
  }
  return count / ((performance.now() - began) / 1000);
}

/**
 * The same gentle polling on an idle API and while readers ask for one PDF after the other, and the API's own event-loop delay in both. They
 * ask for the course of the wound, which is set each time; the document of a report is made once, and read from then on.
 */
async function pollBesideDocuments({ postgres, photo, secs }) {
  const databaseUrl = await postgres.createDatabase();
  const gateway = await startGateway({ databaseUrl, env: { SUTURA_ROLES: 'api' } });
  const [tenant] = await createTenants(gateway, 1);
  tenant.imageId = await uploadPhoto(gateway, tenant, photo.bytes);
  const [{ id: woundId, reports }] = await loadWounds(databaseUrl, [tenant], { count: 1, length: WEEK });
  const { id, jobId } = reports[WEEK - 1];
  const { authorization } = tenant;
  const poll = () =>
    timeRequests({
      url: gateway.baseUrl,
      lanes: 4,
      secs,
      perSecond: QUIET_POLLS_PER_S,
      next: () => ({ path: `/api/v1/analysis/jobs/${jobId}`, headers: { authorization } }),
    });
  const read = (path, lanes, forSecs) =>
    timeRequests({
      url: gateway.baseUrl,
      lanes,
      secs: forSecs,
      next: () => ({ path, headers: { authorization, accept: 'application/pdf' } }),
    });
  const [course, report] = [`/api/v1/wounds/${woundId}/report`, `/api/v1/reports/${id}`];
  await read(course, READERS, 1);
  const makingMs = await firstReadings(gateway, authorization, reports);
  const kept = await read(report, 1, secs);
  await loopDelayMs(gateway);
  const idle = await poll();
  const idleLoopMs = await loopDelayMs(gateway);
  const [besides, documents] = await Promise.all([poll(), read(course, READERS, secs)]);
  const besideLoopMs = await loopDelayMs(gateway);
  await gateway.stop();
  return {
    idleMs: describeLatencies(idle),
    besideMs: describeLatencies(besides),
    documentMs: describeLatencies(documents),
    makingMs: describeLatencies(makingMs),
    keptMs: describeLatencies(kept),
    servedPerSecond: documents.length / secs,
    loopMs: { idle: idleLoopMs, beside: besideLoopMs },
  };
}

/** How long each of these reports takes that has no document yet. */
async function firstReadings({ baseUrl }, authorization, reports) {
  const tookMs = [];
  for (const { id } of reports) {
    const began = performance.now();
    const answer = await fetch(`${baseUrl}/api/v1/reports/${id}`, {
      headers: { authorization, accept: 'application/pdf' },
    });
    if (answer.status !== 200) throw new Error(`A report answered ${answer.status}.`);
    await answer.arrayBuffer();
    tookMs.push(performance.now() - began);
  }
  return tookMs;
}

/** How late the event loop was since it was last asked, in milliseconds; sampled every 10 ms, which an idle one shows as about 10. */
async function loopDelayMs(gateway) {
  const text = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
  const of = (name) =>
    Math.round(Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(text)?.[1]) * 10_000) / 10;
  return { p99: of('p99'), max: of('max') };
}
