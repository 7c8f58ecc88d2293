import { loadWounds } from '../lib/bulk-wounds.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { timeRequests } from '../lib/load-http.mjs';
import { LONG } from '../lib/long-wound.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { query } from '../lib/postgres-server.mjs';
import { median } from '../lib/statistics.mjs';
import { createTenants, uploadPhoto } from '../lib/tenants.mjs';

const ORGANIZATIONS = 20;
const SCOPES = ['images:write', 'analysis:write', 'analysis:read', 'analysis:review'];
const FEW_WOUNDS = 2;
const MORE_WOUNDS = 18;
const LIMITS = { timelineMs: 30, growth: 1.5, recomputeMs: 1000 };

/**
 * The timeline of a wound of 500 assessments, with a thousand and with a million assessments over all wounds, one reader at a time;
 * the report of its last photo; and a correction of its first, which gives all others a new version. `--jobs N` shortens the way.
 */
export const s8Timeline = {
  id: 's8t',
  name: 'timeline of a long wound',
  unit: 'ms',
  goal: 'p50 of 500 assessments at most 30 ms, growing at most 1.5 times from 1e3 to 1e6; recomputing them at most 1 s',
  async run({ postgres, secs, rounds, jobs: assessments }) {
    const databaseUrl = await postgres.createDatabase();
    const gateway = await startGateway({ databaseUrl, env: { SUTURA_ROLES: 'api' } });
    const tenants = await createTenants(gateway, ORGANIZATIONS, SCOPES);
    const [photo] = await drawPhotos(['1 MP']);
    for (const tenant of tenants) tenant.imageId = await uploadPhoto(gateway, tenant, photo.bytes);
    const at = async (count, others) =>
      measure({ gateway, secs, rounds, wounds: await loadWounds(databaseUrl, tenants, { count, others }) });
    const few = await at(FEW_WOUNDS, 0);
    const many = await at(MORE_WOUNDS, Math.max(0, assessments - (FEW_WOUNDS + MORE_WOUNDS) * LONG));
    const recomputeMs = await timeRecomputations({
      gateway,
      databaseUrl,
      wound: many.wounds[0],
      times: Math.max(3, rounds),
    });
    await gateway.stop();
    const growth = Math.round((many.timelineMs / few.timelineMs) * 1000) / 1000;
    const passed =
      Math.max(few.timelineMs, many.timelineMs) <= LIMITS.timelineMs &&
      growth <= LIMITS.growth &&
      recomputeMs <= LIMITS.recomputeMs;
    return {
      p50Ms: { few: few.timelineMs, many: many.timelineMs },
      growth,
      reportMs: { few: few.reportMs, many: many.reportMs },
      recomputeMs,
      answerKiB: many.answerKiB,
      assessments,
      ratio: null,
      passed,
    };
  },
};

/** p50 of both reads, each the median over the rounds; the first pass warms up and is thrown away. */
async function measure({ gateway, secs, rounds, wounds }) {
  const results = { timeline: [], report: [] };
  const answerKiB = await assertWhole(gateway, wounds[0]);
  let turn = 0;
  const timed = (pathOf) =>
    timeRequests({
      url: gateway.baseUrl,
      lanes: 1,
      secs,
      next: () => {
        const wound = wounds[(turn += 1) % wounds.length];
        return { path: pathOf(wound), headers: { authorization: wound.tenant.authorization } };
      },
    });
  for (let round = 0; round <= rounds; round += 1) {
    const taken = {
      timeline: await timed(timelinePath),
      report: await timed(({ reports }) => reportPath(reports.at(-1))),
    };
    if (round === 0) continue;
    for (const [name, durationsMs] of Object.entries(taken)) results[name].push(median(durationsMs));
  }
  return { wounds, timelineMs: median(results.timeline), reportMs: median(results.report), answerKiB };
}

const timelinePath = ({ id }) => `/api/v1/wounds/${id}/timeline`;
const reportPath = ({ id }) => `/api/v1/reports/${id}`;

/** All 500, in the order of their photos; how long the answer is. */
async function assertWhole(gateway, wound) {
  const answer = await fetch(`${gateway.baseUrl}${timelinePath(wound)}`, {
    headers: { authorization: wound.tenant.authorization },
  });
  const text = await answer.text();
  const found = JSON.parse(text).assessments.map(({ reportId }) => reportId);
  if (JSON.stringify(found) !== JSON.stringify(wound.reports.map(({ id }) => id)))
    throw new Error(`A timeline has ${found.length} assessments, not its ${LONG}.`);
  return Math.round(text.length / 1024);
}

/** The median of several corrections of the first photo; each must give every later report exactly one new version. */
async function timeRecomputations({ gateway, databaseUrl, wound, times }) {
  const durationsMs = [];
  const path = `${gateway.baseUrl}${reportPath(wound.reports[0])}`;
  const { authorization } = wound.tenant;
  for (let time = 0; time < times; time += 1) {
    const read = await fetch(path, { headers: { authorization } });
    await read.arrayBuffer();
    const headers = { authorization, 'content-type': 'application/json', 'if-match': read.headers.get('etag') };
    const body = JSON.stringify({
      decision: 'correct',
      contour: squareOf(300 + 10 * time),
      reviewer: { id: 'bench', name: 'Bench' },
    });
    const before = await countVersions(databaseUrl, wound);
    const began = performance.now();
    const answer = await fetch(`${path}/reviews`, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    durationsMs.push(performance.now() - began);
    const made = (await countVersions(databaseUrl, wound)) - before;
    if (answer.status !== 201 || made !== LONG)
      throw new Error(`A correction answered ${answer.status} and made ${made} versions.`);
  }
  return median(durationsMs);
}

async function countVersions(databaseUrl, { reports }) {
  const [{ count }] = await query(
    databaseUrl,
    'select count(*)::int as count from report_versions where report_id = any ($1::uuid[])',
    [reports.map(({ id }) => id)],
  );
  return count;
}

function squareOf(side) {
  const [left, top] = [100, 100];
  return {
    type: 'Polygon',
    coordinates: [
      [
        [left, top],
        [left + side, top],
        [left + side, top + side],
        [left, top + side],
        [left, top],
      ],
    ],
  };
}
