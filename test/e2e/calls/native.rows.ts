import { createHash } from 'node:crypto';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import type { Answer } from '../../support/api-client.js';
import { NOBODY } from './command-row.js';
import { deskDraftRows } from './desk-draft-rows.js';
import { deskDocumentRows } from './desk-document-rows.js';
import { deskWoundRows } from './desk-wound-rows.js';
import { sampleRows } from './sample-rows.js';
import { keyed, type Ask, type RouteGround, type RouteRow } from './route-row.js';

/** What earlier rows made, beside two other wounds, and an earlier photo of their own, that were analysed before. */
export interface NativeGround extends RouteGround {
  readonly key: string;
  readonly organizationId: string;
  readonly heldId: string;
  readonly others: readonly [woundId: string, woundId: string];
  imageId: string;
  upload: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  jobId: string;
  reportId: string;
  woundId: string;
  eventId: string;
  relationId: string;
  etag: string;
  deskUrl: string;
  desk: { readonly cookie: string; readonly csrfToken: string };
}

type Row = RouteRow<NativeGround>;

const REVIEWER = { id: 'HCP-0042', name: 'Example Reviewer' };
const decision = { reviewer: REVIEWER };

const ofKey = ({ key }: NativeGround, path: string, json?: unknown, headers?: Ask['headers']): Ask =>
  keyed(key, path, json, headers);

const withoutKey = (path: string): Row['refused'] => ({ ask: () => ({ path }), status: 401, code: 'auth.missing' });
const forUnknown = (path: string, code: string, json?: unknown): Row['refused'] => ({
  ask: (ground) => ofKey(ground, path, json),
  status: 404,
  code,
});
const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '');
const linkOf = ({ deskUrl }: NativeGround) => {
  const { pathname, hash } = new URL(deskUrl);
  return { page: pathname, api: pathname.replace('/review/', '/review/api/v1/'), secret: hash.slice(1) };
};
const atDesk = (
  ground: NativeGround,
  path: string,
  json?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Ask => ({
  path: `${linkOf(ground).api}${path}`,
  headers: { cookie: ground.desk.cookie, 'x-csrf-token': ground.desk.csrfToken, ...headers },
  ...(json === undefined ? {} : { json }),
});

const photos: readonly Row[] = [
  {
    route: 'POST /api/v1/images/upload-url',
    ask: (ground) => ofKey(ground, '/api/v1/images/upload-url', {}),
    status: 201,
    effect({ body }, ground) {
      Object.assign(ground, { imageId: body.imageId, upload: { url: body.uploadUrl, headers: body.headers } });
    },
    refused: withoutKey('/api/v1/images/upload-url'),
  },
  {
    route: 'PUT /storage/uploads/:imageId',
    ask: async ({ upload }) => ({ path: pathOf(upload.url), headers: upload.headers, bytes: await drawWoundPhoto() }),
    status: 200,
    async effect(_, ground) {
      const job = await send(ground, 'GET', `/api/v1/images/${ground.imageId}`);
      expect(job.body).toMatchObject({ status: 'stored', contentType: 'image/jpeg' });
    },
    refused: {
      ask: ({ upload }) => ({
        path: pathOf(upload.url).replace(/signature=(.)/, (_, first) => `signature=${first === '-' ? 'A' : '-'}`),
        headers: upload.headers,
        bytes: Buffer.from('no photo'),
      }),
      status: 403,
      code: 'upload.signature',
    },
  },
  {
    route: 'GET /api/v1/images/:imageId',
    ask: (ground) => ofKey(ground, `/api/v1/images/${ground.imageId}`),
    status: 200,
    async effect({ body }) {
      const sha256 = createHash('sha256')
        .update(await drawWoundPhoto())
        .digest('hex');
      expect(body).toMatchObject({ status: 'stored', sha256, width: 640, height: 480, readable: true });
    },
    refused: forUnknown(`/api/v1/images/${NOBODY}`, 'image.not_found'),
  },
];

const jobs: readonly Row[] = [
  {
    route: 'POST /api/v1/analysis/jobs',
    ask: (ground) =>
      ofKey(ground, '/api/v1/analysis/jobs', {
        imageId: ground.imageId,
        subject: { patientId: 'MRN-1', woundId: 'W-1' },
        calibration: { mmPerPixel: 0.2 },
        metadata: { case: 'calls-1' },
      }),
    status: 201,
    effect({ body, headers }, ground) {
      expect(headers.get('location')).toContain(`/api/v1/analysis/jobs/${body.id}`);
      ground.jobId = body.id as string;
    },
    refused: forUnknown('/api/v1/analysis/jobs', 'image.not_found', { imageId: NOBODY }),
  },
  {
    route: 'GET /api/v1/analysis/jobs/:id',
    ask: (ground) => ofKey(ground, `/api/v1/analysis/jobs/${ground.jobId}`, undefined, { prefer: 'wait=30' }),
    status: 200,
    effect({ body }, ground) {
      expect(body).toMatchObject({ id: ground.jobId, status: 'completed' });
      ground.reportId = (body.links.report as string).split('/').at(-1)!;
    },
    refused: forUnknown(`/api/v1/analysis/jobs/${NOBODY}`, 'job.not_found'),
  },
  {
    route: 'GET /api/v1/analysis/jobs',
    ask: (ground) => ofKey(ground, '/api/v1/analysis/jobs?patientId=MRN-1&woundId=W-1&limit=1'),
    status: 200,
    effect: ({ body }, { jobId }) => expect(body.items).toMatchObject([{ id: jobId, status: 'completed' }]),
    refused: {
      ask: (ground) => ofKey(ground, '/api/v1/analysis/jobs?status=burnt'),
      status: 400,
      code: 'request.invalid',
    },
  },
  {
    route: 'GET /api/v1/analysis/jobs/:id/artifacts/:name',
    ask: (ground) => ofKey(ground, `/api/v1/analysis/jobs/${ground.jobId}/artifacts/mask`),
    status: 200,
    effect({ headers, bytes }) {
      expect(headers.get('content-type')).toBe('image/png');
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    },
    refused: {
      ask: (ground) => ofKey(ground, `/api/v1/analysis/jobs/${ground.jobId}/artifacts/burnt`),
      status: 404,
      code: 'artifact.not_found',
    },
  },
  {
    route: 'GET /api/v1/usage',
    ask: (ground) => ofKey(ground, '/api/v1/usage'),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ used: 4 }),
    refused: withoutKey('/api/v1/usage'),
  },
  {
    route: 'GET /api/v1/models',
    ask: (ground) => ofKey(ground, '/api/v1/models'),
    status: 200,
    effect: ({ body }) => expect(JSON.stringify(body)).toContain('"name"'),
    refused: withoutKey('/api/v1/models'),
  },
  {
    route: 'GET /api/v1/events',
    ask: (ground) => ofKey(ground, '/api/v1/events?type=analysis.completed&since=2026-01-01T00:00:00Z&limit=1'),
    status: 200,
    effect: ({ body }) => expect(body.items).toMatchObject([{ type: 'analysis.completed', data: {} }]),
    refused: { ask: (ground) => ofKey(ground, '/api/v1/events?limit=0'), status: 400, code: 'request.invalid' },
  },
  ...sampleRows<NativeGround>(),
];

const cards: readonly Row[] = [
  {
    route: 'GET /api/v1/calibration-card.pdf',
    ask: (ground) => ofKey(ground, '/api/v1/calibration-card.pdf?size=a4'),
    status: 200,
    effect: ({ bytes }) => expect(bytes.subarray(0, 5).toString()).toBe('%PDF-'),
    refused: {
      ask: (ground) => ofKey(ground, '/api/v1/calibration-card.pdf?size=a0'),
      status: 400,
      code: 'request.invalid',
    },
  },
  {
    route: 'PUT /api/v1/calibration-card',
    ask: (ground) => ofKey(ground, '/api/v1/calibration-card', { size: 'a4', measuredBarMm: 98.5 }),
    status: 200,
    effect: ({ body }) => expect(JSON.stringify(body)).toContain('98.5'),
    refused: {
      ask: (ground) => ofKey(ground, '/api/v1/calibration-card', { size: 'a4', measuredBarMm: -1 }),
      status: 400,
      code: 'request.invalid',
    },
  },
  {
    route: 'GET /api/v1/calibration-card',
    ask: (ground) => ofKey(ground, '/api/v1/calibration-card'),
    status: 200,
    effect: ({ body }) => expect(JSON.stringify(body)).toContain('98.5'),
    refused: withoutKey('/api/v1/calibration-card'),
  },
  {
    route: 'DELETE /api/v1/calibration-card',
    ask: (ground) => ofKey(ground, '/api/v1/calibration-card?size=a4'),
    status: 204,
    async effect(_, ground) {
      expect(JSON.stringify((await send(ground, 'GET', '/api/v1/calibration-card')).body)).not.toContain('98.5');
    },
    refused: {
      ask: (ground) => ofKey(ground, '/api/v1/calibration-card?size=a0'),
      status: 400,
      code: 'request.invalid',
    },
  },
];

const reports: readonly Row[] = [
  {
    route: 'GET /api/v1/reports',
    ask: (ground) => ofKey(ground, '/api/v1/reports?metadata.case=calls-1'),
    status: 200,
    effect: ({ body }, { jobId, reportId }) => expect(body.items).toMatchObject([{ id: reportId, jobId, version: 1 }]),
    refused: { ask: (ground) => ofKey(ground, '/api/v1/reports?limit=1'), status: 400, code: 'request.invalid' },
  },
  {
    route: 'GET /api/v1/reports/:id',
    ask: (ground) => ofKey(ground, `/api/v1/reports/${ground.reportId}`),
    status: 200,
    effect({ body, headers }, ground) {
      expect(body).toMatchObject({ id: ground.reportId, version: 1 });
      ground.etag = headers.get('etag')!;
    },
    refused: forUnknown(`/api/v1/reports/${NOBODY}`, 'report.not_found'),
  },
  {
    route: 'POST /api/v1/reports/:id/reviews',
    ask: (ground) =>
      ofKey(
        ground,
        `/api/v1/reports/${ground.reportId}/reviews`,
        { decision: 'accept', ...decision },
        {
          'if-match': ground.etag,
        },
      ),
    status: 201,
    effect: ({ body }) => expect(JSON.stringify(body)).toContain(REVIEWER.id),
    refused: {
      ask: (ground) =>
        ofKey(
          ground,
          `/api/v1/reports/${ground.reportId}/reviews`,
          { decision: 'accept', ...decision },
          {
            'if-match': '"stale"',
          },
        ),
      status: 412,
      code: 'report.stale',
    },
  },
  {
    route: 'GET /api/v1/reports/:id/versions',
    ask: (ground) => ofKey(ground, `/api/v1/reports/${ground.reportId}/versions`),
    status: 200,
    effect: ({ body }) => expect(body.items).toHaveLength(2),
    refused: forUnknown(`/api/v1/reports/${NOBODY}/versions`, 'report.not_found'),
  },
  {
    route: 'GET /api/v1/reports/:id/versions/:version',
    ask: (ground) =>
      ofKey(ground, `/api/v1/reports/${ground.reportId}/versions/1`, undefined, { accept: 'application/pdf' }),
    status: 200,
    effect: ({ bytes }) => expect(bytes.subarray(0, 5).toString()).toBe('%PDF-'),
    refused: {
      ask: (ground) => ofKey(ground, `/api/v1/reports/${ground.reportId}/versions/9`),
      status: 404,
      code: 'report.not_found',
    },
  },
];

const onWound = (ground: NativeGround, path: string, json?: unknown) =>
  ofKey(ground, `/api/v1/wounds/${ground.woundId}${path}`, json);
const noWound = (path: string, json?: unknown) =>
  forUnknown(`/api/v1/wounds/${NOBODY}${path}`, 'wound.not_found', json);

/** Of the two others, of which the newer is listed first. */
const onOlder = (ground: NativeGround, path: string, json?: unknown) =>
  ofKey(ground, `/api/v1/wounds/${ground.others[1]}${path}`, json);

const debridement = { type: 'debridement', occurredAt: '2026-03-03T10:15:00.000Z' };

const wounds: readonly Row[] = [
  {
    route: 'GET /api/v1/wounds',
    ask: (ground) => ofKey(ground, '/api/v1/wounds?patientId=MRN-1&woundId=W-1'),
    status: 200,
    effect({ body }, ground) {
      expect(body.items).toHaveLength(1);
      ground.woundId = body.items[0].id as string;
    },
    refused: { ask: (ground) => ofKey(ground, '/api/v1/wounds?status=burnt'), status: 400, code: 'request.invalid' },
  },
  {
    route: 'GET /api/v1/wounds/:id',
    ask: (ground) => onWound(ground, ''),
    status: 200,
    effect: ({ body }, { woundId }) => expect(body).toMatchObject({ id: woundId, status: 'open' }),
    refused: noWound(''),
  },
  {
    route: 'GET /api/v1/wounds/:id/timeline',
    ask: (ground) => onWound(ground, '/timeline'),
    status: 200,
    effect: ({ body }, { reportId }) => expect(JSON.stringify(body)).toContain(reportId),
    refused: noWound('/timeline'),
  },
  {
    route: 'GET /api/v1/wounds/:id/report',
    ask: (ground) => ({ ...onWound(ground, '/report'), headers: { accept: 'application/pdf' } }),
    status: 200,
    effect: ({ bytes }) => expect(bytes.subarray(0, 5).toString()).toBe('%PDF-'),
    refused: noWound('/report'),
  },
  {
    route: 'GET /api/v1/wounds/:id/evidence',
    ask: (ground) => ({ ...onWound(ground, '/evidence'), headers: { accept: 'application/pdf' } }),
    status: 200,
    effect: ({ bytes }) => expect(bytes.subarray(0, 5).toString()).toBe('%PDF-'),
    refused: noWound('/evidence'),
  },
  {
    route: 'POST /api/v1/wounds/:id/merge',
    ask: (ground) => ofKey(ground, `/api/v1/wounds/${ground.others[0]}/merge`, { into: ground.others[1], ...decision }),
    status: 200,
    effect: ({ body }, { others }) => expect(JSON.stringify(body)).toContain(others[1]),
    refused: noWound('/merge', { into: NOBODY, ...decision }),
  },
  {
    route: 'POST /api/v1/wounds/:id/unmerge',
    ask: (ground) => ofKey(ground, `/api/v1/wounds/${ground.others[0]}/unmerge`, decision),
    status: 200,
    effect: ({ body }, { others }) => expect(body).toMatchObject({ id: others[0], status: 'open' }),
    refused: { ask: (ground) => onWound(ground, '/unmerge', decision), status: 409, code: 'wound.not_merged' },
  },
  {
    route: 'POST /api/v1/wounds/:id/close',
    ask: (ground) => onWound(ground, '/close', decision),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ status: 'closed' }),
    refused: noWound('/close', decision),
  },
  {
    route: 'POST /api/v1/wounds/:id/reopen',
    ask: (ground) => onWound(ground, '/reopen', decision),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ status: 'open' }),
    refused: noWound('/reopen', decision),
  },
  {
    route: 'POST /api/v1/wounds/:id/events',
    ask: (ground) => onWound(ground, '/events', debridement),
    status: 201,
    effect({ body }, ground) {
      expect(body).toMatchObject({ ...debridement, wound: ground.woundId, withdrawn: null });
      ground.eventId = body.id as string;
    },
    refused: noWound('/events', debridement),
  },
  {
    route: 'GET /api/v1/wounds/:id/events',
    ask: (ground) => onWound(ground, '/events'),
    status: 200,
    effect: ({ body }, { eventId }) => expect(body).toMatchObject({ items: [{ id: eventId }], nextCursor: null }),
    refused: noWound('/events'),
  },
  {
    route: 'DELETE /api/v1/wounds/:id/events/:eventId',
    ask: (ground) => onWound(ground, `/events/${ground.eventId}`),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ withdrawn: { note: null } }),
    refused: {
      ask: (ground) => onWound(ground, `/events/${NOBODY}`),
      status: 404,
      code: 'wound.event_not_found',
    },
  },
  {
    route: 'POST /api/v1/wounds/:id/split',
    ask: (ground) => onOlder(ground, '/split', { into: ground.others, at: '2026-01-02T08:00:00Z' }),
    status: 201,
    effect: ({ body }, { others }) => expect(body).toMatchObject({ kind: 'split', whole: others[1], withdrawn: null }),
    refused: {
      ask: (ground) => onOlder(ground, '/split', { into: [NOBODY, NOBODY], at: '2026-01-02T08:00:00Z' }),
      status: 409,
      code: 'wound.relation_refused',
    },
  },
  {
    route: 'POST /api/v1/wounds/:id/join',
    ask: (ground) => onOlder(ground, '/join', { from: ground.others, at: '2026-01-03T08:00:00Z' }),
    status: 201,
    effect({ body }, ground) {
      expect(body).toMatchObject({ kind: 'joined', whole: ground.others[1], withdrawn: null });
      ground.relationId = body.id as string;
    },
    refused: noWound('/join', { from: [NOBODY, NOBODY.replace('0', 'f')], at: '2026-01-03T08:00:00Z' }),
  },
  {
    route: 'DELETE /api/v1/wounds/:id/relations/:relationId',
    ask: (ground) => onOlder(ground, `/relations/${ground.relationId}`),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ withdrawn: { note: null } }),
    refused: {
      ask: (ground) => onWound(ground, `/relations/${NOBODY}`),
      status: 404,
      code: 'wound.relation_not_found',
    },
  },
];

const asPerson = { 'x-sutura-user': REVIEWER.id };
const linkWish = { mode: 'review', of: 'report', language: 'en' };

const desk: readonly Row[] = [
  {
    route: 'POST /api/v1/reports/:id/review-links',
    ask: (ground) => ofKey(ground, `/api/v1/reports/${ground.reportId}/review-links`, linkWish, asPerson),
    status: 201,
    effect({ body }, ground) {
      ground.deskUrl = body.url as string;
    },
    refused: {
      ask: (ground) => ofKey(ground, `/api/v1/reports/${NOBODY}/review-links`, linkWish, asPerson),
      status: 404,
      code: 'report.not_found',
    },
  },
  {
    route: 'GET /review/:linkId',
    ask: (ground) => ({ path: linkOf(ground).page }),
    status: 200,
    effect({ headers, bytes }) {
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(bytes.toString()).toMatch(/^<!doctype html>/i);
    },
    refused: {
      ask: (ground) => ({ method: 'POST', path: linkOf(ground).page }),
      status: 405,
      code: 'route.method_not_allowed',
    },
  },
  {
    route: 'POST /review/api/v1/:linkId/session',
    ask: (ground) => ({ path: `${linkOf(ground).api}/session`, json: { link: linkOf(ground).secret } }),
    status: 201,
    effect({ body, headers }, ground) {
      ground.desk = { cookie: headers.get('set-cookie')!.split(';')[0]!, csrfToken: body.csrfToken as string };
    },
    refused: {
      ask: (ground) => ({ path: `${linkOf(ground).api}/session`, json: { link: 'x'.repeat(43) } }),
      status: 410,
      code: 'review.link',
    },
  },
  {
    route: 'GET /review/api/v1/:linkId/session',
    ask: (ground) => atDesk(ground, '/session'),
    status: 200,
    effect: ({ body }, { reportId }) => expect(JSON.stringify(body)).toContain(reportId),
    refused: { ask: (ground) => ({ path: `${linkOf(ground).api}/session` }), status: 401, code: 'review.session' },
  },
  {
    route: 'GET /review/api/v1/:linkId/reports/:id',
    ask: (ground) => atDesk(ground, `/reports/${ground.reportId}`),
    status: 200,
    effect({ body, headers }, ground) {
      expect(JSON.stringify(body)).toContain(ground.reportId);
      ground.etag = headers.get('etag')!;
    },
    refused: { ask: (ground) => atDesk(ground, `/reports/${NOBODY}`), status: 404, code: 'report.not_found' },
  },
  {
    route: 'GET /review/api/v1/:linkId/reports/:id/banner',
    ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/banner?language=de`),
    status: 200,
    effect: ({ body }) => expect(body.facts).toContainEqual({ label: 'Wunde', value: expect.any(String) as string }),
    refused: { ask: (ground) => atDesk(ground, `/reports/${NOBODY}/banner`), status: 404, code: 'report.not_found' },
  },
  {
    route: 'GET /review/api/v1/:linkId/reports/:id/course',
    ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/course?lang=de`),
    status: 200,
    effect: ({ body }) =>
      expect(body).toMatchObject({ version: expect.any(Number), headline: expect.stringMatching(/\.$/) }),
    refused: { ask: (ground) => atDesk(ground, `/reports/${NOBODY}/course`), status: 404, code: 'report.not_found' },
  },
  {
    route: 'GET /review/api/v1/:linkId/reports/:id/:picture',
    ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/photo`),
    status: 200,
    effect: ({ headers }) => expect(headers.get('content-type')).toMatch(/^image\//),
    refused: {
      ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/burnt`),
      status: 404,
      code: 'route.not_found',
    },
  },
  ...deskDocumentRows(atDesk),
  ...deskDraftRows(atDesk, (ground: NativeGround, place) => {
    const { path, ...wish } = atDesk(ground, place);
    return send(ground, 'GET', path, wish);
  }),
  ...deskWoundRows(atDesk, (ground: NativeGround, method: string, place: string, json?: unknown) => {
    const { path, ...wish } = atDesk(ground, place, json, { 'if-match': ground.etag });
    return send(ground, method, path, wish);
  }),
  {
    route: 'POST /review/api/v1/:linkId/reports/:id/reviews',
    ask: (ground) =>
      atDesk(
        ground,
        `/reports/${ground.reportId}/reviews`,
        { decision: 'accept', ...decision },
        {
          'if-match': ground.etag,
        },
      ),
    status: 201,
    async effect(_, ground) {
      const versions = await send(ground, 'GET', `/api/v1/reports/${ground.reportId}/versions`);
      expect(versions.body.items).toHaveLength(3);
    },
    refused: {
      ask: (ground) => ({
        ...atDesk(ground, `/reports/${ground.reportId}/reviews`, { decision: 'accept', ...decision }),
        headers: { cookie: ground.desk.cookie, 'if-match': ground.etag },
      }),
      status: 403,
      code: 'auth.csrf',
    },
  },
  {
    route: 'DELETE /review/api/v1/:linkId/session',
    ask: (ground) => atDesk(ground, '/session'),
    status: 204,
    async effect(_, ground) {
      const { path, ...wish } = atDesk(ground, '/session');
      expect((await send(ground, 'GET', path, wish)).status).toBe(401);
    },
    refused: { ask: (ground) => ({ path: `${linkOf(ground).api}/session` }), status: 401, code: 'review.session' },
  },
];

const held: readonly Row[] = [
  {
    route: 'GET /api/v1/held',
    ask: (ground) => ofKey(ground, '/api/v1/held?reason=identity_conflict&olderThanS=0&limit=1'),
    status: 200,
    effect: ({ body }, { heldId }) => expect(body).toMatchObject({ items: [{ id: heldId }], nextCursor: null }),
    refused: { ask: (ground) => ofKey(ground, '/api/v1/held?reason=whim'), status: 400, code: 'request.invalid' },
  },
  {
    route: 'GET /api/v1/held/:id',
    ask: (ground) => ofKey(ground, `/api/v1/held/${ground.heldId}`),
    status: 200,
    effect: ({ body }, { heldId }) => expect(body).toMatchObject({ id: heldId, door: 'hl7v2' }),
    refused: forUnknown(`/api/v1/held/${NOBODY}`, 'held.not_found'),
  },
  {
    route: 'POST /api/v1/held/:id/resolve',
    ask: (ground) => ofKey(ground, `/api/v1/held/${ground.heldId}/resolve`, { action: 'discard' }),
    status: 200,
    async effect(_, ground) {
      expect((await send(ground, 'GET', '/api/v1/held')).body.items).toEqual([]);
    },
    refused: {
      ask: (ground) => ofKey(ground, `/api/v1/held/${ground.heldId}/resolve`, { action: 'another' }),
      status: 400,
      code: 'request.invalid',
    },
  },
];

const end: readonly Row[] = [
  {
    route: 'DELETE /api/v1/images/:imageId',
    ask: (ground) => ofKey(ground, `/api/v1/images/${ground.imageId}`),
    status: 204,
    async effect(_, ground) {
      expect((await send(ground, 'GET', `/api/v1/images/${ground.imageId}`)).status).toBe(410);
    },
    refused: forUnknown(`/api/v1/images/${NOBODY}`, 'image.not_found'),
  },
];

export const NATIVE_ROWS: readonly Row[] = [
  ...photos,
  ...jobs,
  ...cards,
  ...reports,
  ...wounds,
  ...desk,
  ...held,
  ...end,
];

function send(ground: NativeGround, method: string, path: string, wish: Omit<Ask, 'path'> = {}): Promise<Answer> {
  return ground.ask(method, path, { ...(wish.headers === undefined ? { key: ground.key } : {}), ...wish });
}
