import { NOBODY } from './command-row.js';
import type { Ask, RouteGround, RouteRow } from './route-row.js';

/** What the page of the review desk reads beside a report: its versions, their documents, the curve of its wound. */
export function deskDocumentRows<Ground extends RouteGround & { readonly reportId: string }>(
  atDesk: (ground: Ground, path: string) => Ask,
): readonly RouteRow<Ground>[] {
  const unknown = (path: string) => ({
    ask: (ground: Ground) => atDesk(ground, `/reports/${NOBODY}/${path}`),
    status: 404,
    code: 'report.not_found',
  });
  return [
    {
      route: 'GET /review/api/v1/:linkId/reports/:id/versions',
      ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/versions`),
      status: 200,
      effect: ({ body }, ground) => expect(body.items[0]).toMatchObject({ id: ground.reportId, version: 1 }),
      refused: unknown('versions'),
    },
    {
      route: 'GET /review/api/v1/:linkId/reports/:id/versions/:version/document',
      ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/versions/1/document?as=html&lang=de`),
      status: 200,
      effect: ({ bytes }) => expect(bytes.toString('utf8')).toContain('<html lang="de">'),
      refused: unknown('versions/1/document'),
    },
    {
      route: 'GET /review/api/v1/:linkId/reports/:id/curve',
      ask: (ground) => atDesk(ground, `/reports/${ground.reportId}/curve`),
      status: 200,
      effect: ({ headers }) => expect(headers.get('content-type')).toMatch(/^image\/svg/),
      refused: unknown('curve'),
    },
  ];
}
