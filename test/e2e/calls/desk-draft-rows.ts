import type { Answer } from '../../support/api-client.js';
import { NOBODY } from './command-row.js';
import type { Ask, RouteGround, RouteRow } from './route-row.js';

const DRAFT = {
  revision: '01997f2e-7a00-4000-8000-00000000d4af',
  follows: [],
  reportVersion: 2,
  work: {
    outlines: null,
    mmPerPixel: 0.2,
    reviewerName: '',
    note: 'Edge in the shade',
    reassignment: null,
    ruler: null,
    stated: { depth: '1,5', undermining: [{ from: '11', to: '', depth: '0.5' }] },
    woundStep: {
      kind: 'closed',
      reason: 'healed',
      at: '2026-01-05T10:00',
      note: '',
      requestId: '01997f2e-7a00-4000-8000-00000000d4b0',
    },
    screen: { tool: 'points', isTissueShown: false },
  },
};

/** What the page of the review desk keeps by itself. `atDesk`: a request of its session, which `read` sends. */
export function deskDraftRows<Ground extends RouteGround & { readonly reportId: string }>(
  atDesk: (ground: Ground, path: string, json?: unknown) => Ask,
  read: (ground: Ground, path: string) => Promise<Answer>,
): readonly RouteRow<Ground>[] {
  return [
    {
      route: 'GET /review/api/v1/:linkId/reports/:id/draft',
      ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/draft`),
      status: 200,
      effect: ({ body }) => expect(body).toEqual({ draft: null }),
      refused: { ask: (ground) => atDesk(ground, `/reports/${NOBODY}/draft`), status: 404, code: 'report.not_found' },
    },
    {
      route: 'PUT /review/api/v1/:linkId/reports/:id/draft',
      ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/draft`, DRAFT),
      status: 200,
      async effect(_, ground) {
        expect((await read(ground, `/reports/${ground.reportId}/draft`)).body.draft).toMatchObject({
          work: DRAFT.work,
        });
      },
      refused: {
        ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/draft`, { ...DRAFT, revision: 'no id' }),
        status: 400,
        code: 'request.invalid',
      },
    },
    {
      route: 'DELETE /review/api/v1/:linkId/reports/:id/draft',
      ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/draft`, { revisions: [DRAFT.revision] }),
      status: 204,
      async effect(_, ground) {
        expect((await read(ground, `/reports/${ground.reportId}/draft`)).body.draft).toBeNull();
      },
      refused: {
        ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/draft`, { revisions: [] }),
        status: 409,
        code: 'review.draft_changed',
      },
    },
    {
      route: 'POST /review/api/v1/:linkId/reports/:id/presence',
      ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/presence`, { tabId: DRAFT.revision }),
      status: 200,
      effect: ({ body }) => expect(body).toMatchObject({ others: [], draftRevision: null }),
      refused: {
        ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/presence`, { tabId: 'no id' }),
        status: 400,
        code: 'request.invalid',
      },
    },
  ];
}
