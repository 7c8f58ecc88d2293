import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What one PostgreSQL sustains is said in docs/scaling.md; here only that the load is a true one, however fast. */
describe('the load of one PostgreSQL with the statements of photos', () => {
  it('notices a report that is missing at its end, and has every photo done by itself', async () => {
    const words = ['--jobs', '12', '--lanes', '3', '--gateways', '2', '--photos', '2', '--lose', 'reports'];
    const { stdout } = await promisify(execFile)(process.execPath, ['bench/postgres/run-postgres.mjs', ...words]);
    expect(stdout).toMatch(/^without a row of reports: 1 completed jobs have no report, or several/m);
    expect(stdout).toMatch(/^1\d photos, each counted afterwards: none is missing/m);
  }, 300_000);
});
