import { randomUUID } from 'node:crypto';
import { queryDatabase } from '../support/database-query.js';
import { createJobSurely, expectStatus, type ApiClient } from '../support/api-client.js';

export interface LoadOptions {
  /** Gateways to ask, in turn; read anew at every try, so that they may be replaced on the way. */
  readonly clients: () => readonly ApiClient[];
  readonly imageId: string;
  readonly count: number;
  readonly concurrency?: number;
  /** Called after every accepted job. */
  readonly onAccepted?: (accepted: number) => Promise<void> | void;
}

/** Creates `count` jobs as a careful client does, each under its own Idempotency-Key, and answers their ids. */
export async function createJobs(wish: LoadOptions): Promise<string[]> {
  const accepted: string[] = [];
  let started = 0;
  const lane = async () => {
    while (started < wish.count) {
      started += 1;
      const answer = await createJobSurely(wish.clients, { imageId: wish.imageId }, randomUUID());
      accepted.push(expectStatus(201, answer).body.id as string);
      await wish.onAccepted?.(accepted.length);
    }
  };
  await Promise.all(Array.from({ length: wish.concurrency ?? 5 }, lane));
  return accepted;
}

/** How many jobs of this database have this status. */
export async function countJobs(
  databaseUrl: string,
  status: 'queued' | 'processing' | 'completed' | 'error',
): Promise<number> {
  const rows = await queryDatabase<{ jobs: number }>(
    databaseUrl,
    'select count(*)::int as jobs from analysis_jobs where status = $1',
    [status],
  );
  return rows[0]?.jobs ?? 0;
}
