import { byAdmin, inOrganization, type AdminRow } from './admin-ground.js';

export const REVIEWING_ROWS: readonly AdminRow[] = [
  {
    route: 'GET /admin/v1/organizations/:organizationId/worklist',
    ask: byAdmin(inOrganization('/worklist?environment=test')),
    status: 200,
    effect: ({ body }, { reportId }) =>
      expect(body.items).toContainEqual(
        expect.objectContaining({ reportId, status: 'preliminary', concern: 'unknown', verdict: 'unknown' }),
      ),
    refused: {
      ask: byAdmin(inOrganization('/worklist?environment=test&cursor=burnt')),
      status: 400,
      code: 'request.invalid',
    },
  },
  {
    route: 'GET /admin/v1/organizations/:organizationId/caseload',
    ask: byAdmin(inOrganization('/caseload?environment=test')),
    status: 200,
    effect: ({ body }, { reportId }) =>
      expect(body.items).toContainEqual(expect.objectContaining({ reportId, waiting: 1 })),
    refused: {
      ask: byAdmin(inOrganization('/caseload')),
      status: 400,
      code: 'request.invalid',
    },
  },
];
