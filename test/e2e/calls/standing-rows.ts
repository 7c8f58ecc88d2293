import type { AdminRow } from './admin-ground.js';

const asUser =
  (path: string): AdminRow['ask'] =>
  ({ made }) => ({ path, headers: { cookie: made.cookie } });
const withToken = (path: string): AdminRow['refused'] => ({
  ask: ({ gateway }) => ({ path, key: gateway.adminToken }),
  status: 401,
  code: 'auth.session',
});

/** Behind the row that logs in. */
export const STANDING_ROWS: readonly AdminRow[] = [
  {
    route: 'GET /admin/v1/standing',
    ask: asUser('/admin/v1/standing'),
    status: 200,
    effect: ({ body }) =>
      expect(body.findings).toContainEqual(expect.objectContaining({ part: 'database', state: 'well' })),
    refused: withToken('/admin/v1/standing'),
  },
  {
    route: 'GET /admin/v1/connections',
    ask: asUser('/admin/v1/connections'),
    status: 200,
    effect: ({ body }) => expect(body.connections).toBeInstanceOf(Array),
    refused: withToken('/admin/v1/connections'),
  },
];
