import { describeInBrowser } from '../../support/browser.js';
import { ConsoleGround } from '../../support/console-ground.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { failedJob } from '../../support/failed-job.js';

describeInBrowser('a failed analysis in the console', () => {
  let ground: ConsoleGround;
  beforeAll(async () => {
    ground = await ConsoleGround.open();
  });
  afterAll(() => ground?.close());

  it('is done again by a button, which goes with its advice once it was pressed', async () => {
    const { gateway, hospital, pages } = ground;
    const id = await failedJob(hospital.client, gateway.databaseUrl);
    await pages.open(async (page) => {
      await pages.search(page, id);
      const advice = page.getByRole('note').getByText(`jobs retry --id ${id}`);
      await advice.waitFor();
      const button = page.getByRole('button', { name: 'Analyse again' });
      await button.click();
      await button.waitFor({ state: 'detached' });
      await advice.waitFor({ state: 'detached' });
    });
    const made = 'select status from analysis_jobs where retry_of = $1';
    await eventually('the new job is done', async () => {
      const [job] = await queryDatabase<{ status: string }>(gateway.databaseUrl, made, [id]);
      return job?.status === 'completed';
    });
  });
});
