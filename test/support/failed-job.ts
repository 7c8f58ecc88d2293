import type { ApiClient } from './api-client.js';
import { queryDatabase } from './database-query.js';
import { drawWoundPhoto } from './wound-photo.js';

const ERROR = {
  code: 'processing.timeout',
  detail: 'The analysis did not end in time. Create the job again.',
  retryable: true,
};

/** A job that ended as one does whose photo takes too long, by hand: no machine is slow on demand. */
export async function failedJob(client: ApiClient, databaseUrl: string): Promise<string> {
  const { id } = (await client.analyse(await drawWoundPhoto({ seed: 77 }))) as { id: string };
  await queryDatabase(
    databaseUrl,
    `update analysis_jobs set status = 'error', result = null, error = $2 where id = $1`,
    [id, JSON.stringify(ERROR)],
  );
  return id;
}
