import { ApiClient } from '../../support/api-client.js';
import { failedJob } from '../../support/failed-job.js';
import { byAdmin, ofAdmin, type AdminGround, type AdminRow } from './admin-ground.js';
import { NOBODY } from './command-row.js';

const CAUSE = 'processing.timeout';
const wish = (organizationId: string) => ({
  organizationId,
  environment: 'test',
  kind: 'job',
  subjectId: null,
  cause: CAUSE,
  from: new Date(Date.now() - 3_600_000).toISOString(),
  to: new Date(Date.now() + 60_000).toISOString(),
});

async function failOnce({ gateway, organizationId }: AdminGround): Promise<void> {
  const { key } = await gateway.createKey(organizationId);
  await failedJob(new ApiClient(gateway.baseUrl, key), gateway.databaseUrl);
}

/** Behind the row that does the failed analysis of the ground again. */
export const FAILURE_ROWS: readonly AdminRow[] = [
  {
    route: 'GET /admin/v1/failures',
    async ask(ground) {
      await failOnce(ground);
      return ofAdmin(ground, `/failures?organizationId=${ground.organizationId}&environment=test`);
    },
    status: 200,
    effect: ({ body }, { organizationId }) =>
      expect(body.items).toContainEqual(
        expect.objectContaining({ kind: 'job', cause: CAUSE, count: 1, organizationId, subjectName: null }),
      ),
    refused: {
      ask: byAdmin('/failures?from=2026-01-01T00:00:00Z&to=2026-06-01T00:00:00Z'),
      status: 400,
      code: 'request.invalid',
    },
  },
  {
    route: 'POST /admin/v1/failures/retry',
    ask: (ground) => ofAdmin(ground, '/failures/retry', wish(ground.organizationId)),
    status: 200,
    effect: ({ body }) => expect(body).toEqual({ retried: 1, skipped: [], after: null }),
    refused: {
      ask: byAdmin('/failures/retry', { ...wish(NOBODY), kind: 'everything' }),
      status: 400,
      code: 'request.invalid',
    },
  },
];
