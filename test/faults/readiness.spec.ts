import { eventually } from '../support/eventually.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { startPostgresServer, type PostgresServer } from '../support/postgres-server.mjs';
import { SilentRelay } from '../peers/silent-relay.js';

const LEFT_ALONE = { storage: 'ok', encryption: 'ok', disk: 'ok' };

describe('/health/ready of a gateway whose database is away', () => {
  let postgres: PostgresServer;
  let gateway: Gateway;
  let relay: SilentRelay | undefined;
  beforeAll(async () => {
    postgres = await startPostgresServer();
  });
  afterAll(() => postgres?.stop());
  afterEach(async () => {
    await gateway?.kill();
    await gateway?.stop();
    await relay?.stop();
  });

  const checks = async () =>
    ((await (await fetch(`${gateway.baseUrl}/health/ready`)).json()) as { checks: Record<string, string> }).checks;

  const key = {
    SUTURA_ENCRYPTION: 'on',
    SUTURA_ENCRYPTION_KEY_COMMAND: `echo first ${Buffer.alloc(32, 7).toString('base64')}`,
  };

  it('names the database alone, where connections are refused', async () => {
    gateway = await startGateway({ roles: 'api', databaseUrl: postgres.url, env: key });
    await postgres.crash();
    await eventually('the database is missed', async () => (await checks())['database'] === 'failed');
    expect(await checks()).toMatchObject({ database: 'failed', ...LEFT_ALONE });
    await postgres.startAgain();
  }, 120_000);

  it('names the database alone, where packets are dropped', async () => {
    relay = await SilentRelay.start(postgres.url);
    gateway = await startGateway({ roles: 'api', databaseUrl: relay.url, env: key });
    relay.silence();
    expect(await checks()).toMatchObject({ database: 'failed', ...LEFT_ALONE });
  }, 120_000);
});
