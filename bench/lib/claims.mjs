import { resolve } from 'node:path';
import pg from 'pg';
import { query } from './postgres-server.mjs';

const REPOSITORIES = resolve(import.meta.dirname, '../../dist/src/records');

/** The gateway's own claim (its compiled repository) over plain connections as the role of workers. */
export async function openClaims(databaseUrl) {
  const { SqlJobRepository } = await import(`${REPOSITORIES}/analysis/sql-job.repository.js`);
  const { SqlOutbox } = await import(`${REPOSITORIES}/events/sql-outbox.js`);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4, options: '-c role=sutura_system' });
  const answerOf = async (statement) => {
    const { rows, rowCount } = await pool.query(statement);
    return { rows, affected: rowCount };
  };
  const statements = {
    run: (text, values = []) => answerOf({ text, values: [...values] }),
    runPrepared: (text, values = []) => answerOf({ text, values: [...values], name: 'claim' }),
  };
  const jobs = new SqlJobRepository(statements, statements, null, new SqlOutbox(statements));
  return {
    /** Claims jobs until `secs` are over or none waits; milliseconds of each. Claimed jobs go back to the queue. */
    async time(secs) {
      // Without this the rows that earlier measurements moved to and fro would be what is measured.
      await query(databaseUrl, 'vacuum analysis_jobs');
      const durationsMs = [];
      const held = [];
      const end = performance.now() + secs * 1000;
      while (performance.now() < end) {
        const began = performance.now();
        const claimed = await jobs.claim(600);
        durationsMs.push(performance.now() - began);
        if (claimed === null) break;
        held.push(claimed.lease);
      }
      await pool.query(
        `update analysis_jobs set status = 'queued', attempts = 0, lease_token = null, lease_until = null where id = any ($1::uuid[])`,
        [held.map((lease) => lease.jobId)],
      );
      return durationsMs;
    },
    close: () => pool.end(),
  };
}
