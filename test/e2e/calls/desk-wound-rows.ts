import { randomUUID } from 'node:crypto';
import type { Answer } from '../../support/api-client.js';
import { NOBODY } from './command-row.js';
import type { Ask, RouteGround, RouteRow } from './route-row.js';

const REVIEWER = { id: 'HCP-0042', name: 'Example Reviewer' };
const EVENT = {
  requestId: '01997f2e-7a00-4000-8000-00000000e4af',
  type: 'dressing_change',
  occurredAt: '2026-01-05T10:00:00Z',
  reviewer: REVIEWER,
};

const WITHDRAWAL = { requestId: '01997f2e-7a00-4000-8000-00000000e4b0', reviewer: REVIEWER };

export interface DeskWoundGround extends RouteGround {
  readonly reportId: string;
  readonly etag: string;
}

type AtDesk<Ground> = (ground: Ground, path: string, json?: unknown, headers?: Readonly<Record<string, string>>) => Ask;
type Send<Ground> = (ground: Ground, method: string, path: string, json?: unknown) => Promise<Answer>;

/** What the page of the review desk asks and states of the wound itself. `atDesk`: a request of its session, which `send` sends with the entity tag. */
export function deskWoundRows<Ground extends DeskWoundGround>(
  atDesk: AtDesk<Ground>,
  send: Send<Ground>,
): readonly RouteRow<Ground>[] {
  const bound = (ground: Ground, path: string, json: unknown) =>
    atDesk(ground, `/reports/${ground.reportId}/${path}`, json, { 'if-match': ground.etag });
  const unbound = (path: string, json: unknown) => ({
    ask: (ground: Ground) => atDesk(ground, `/reports/${ground.reportId}/${path}`, json),
    status: 428,
    code: 'request.precondition_required',
  });
  const formOf = async (ground: Ground) =>
    (await send(ground, 'GET', `/reports/${ground.reportId}/form`)).body as {
      readonly events: readonly { readonly id: string; readonly type: string; readonly occurredAt: string }[];
      readonly wound: { readonly status: string };
    };
  const own = async (ground: Ground) =>
    (await formOf(ground)).events.filter(({ occurredAt }) => Date.parse(occurredAt) === Date.parse(EVENT.occurredAt));
  // After whatever earlier rows decided.
  const now = () => new Date().toISOString();
  const closing = () => ({
    requestId: randomUUID(),
    shown: 'open',
    status: 'closed',
    reason: 'healed',
    decidedAt: now(),
    reviewer: REVIEWER,
  });
  return [
    {
      route: 'GET /review/api/v1/:linkId/reports/:id/form',
      ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/form?lang=de`),
      status: 200,
      effect: ({ body }) => expect(body).toMatchObject({ words: { labels: { depth: 'Tiefe' } } }),
      refused: { ask: (ground) => atDesk(ground, `/reports/${NOBODY}/form`), status: 404, code: 'report.not_found' },
    },
    {
      route: 'POST /review/api/v1/:linkId/reports/:id/events',
      ask: (ground) => bound(ground, 'events', EVENT),
      status: 201,
      async effect({ body }, ground) {
        expect(body).toEqual({ version: expect.any(Number) as number });
        expect(await own(ground)).toMatchObject([{ type: EVENT.type }]);
      },
      refused: unbound('events', EVENT),
    },
    {
      route: 'POST /review/api/v1/:linkId/reports/:id/events/:eventId/withdrawal',
      ask: async (ground) => bound(ground, `events/${(await own(ground))[0]!.id}/withdrawal`, WITHDRAWAL),
      status: 200,
      effect: async (_, ground) => expect(await own(ground)).toEqual([]),
      refused: unbound(`events/${NOBODY}/withdrawal`, WITHDRAWAL),
    },
    {
      route: 'POST /review/api/v1/:linkId/reports/:id/standing',
      ask: (ground) => bound(ground, 'standing', closing()),
      status: 200,
      async effect(_, ground) {
        expect((await formOf(ground)).wound).toMatchObject({ status: 'closed', closing: { reason: 'healed' } });
        const open = { requestId: randomUUID(), shown: 'closed', status: 'open', decidedAt: now(), reviewer: REVIEWER };
        await send(ground, 'POST', `/reports/${ground.reportId}/standing`, open);
        expect((await formOf(ground)).wound).toMatchObject({ status: 'open' });
      },
      refused: unbound('standing', closing()),
    },
  ];
}
