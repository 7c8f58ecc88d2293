import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, expectStatus, send, type Answer } from './api-client.js';
import { eventually } from './eventually.js';
import { GatewayProcess, type Exit, type LogLine } from './gateway-process.js';
import { createTestDatabase } from './test-database.js';
import { TEST_MODEL, writeTestModel } from './test-model.js';

export type Plan = 'free' | 'pro' | 'enterprise';
export type KeyEnvironment = 'test' | 'live';
export const ALL_SCOPES = [
  'images:write',
  'analysis:write',
  'analysis:read',
  'analysis:review',
  'webhooks:manage',
  'bulk:export',
  'audit:read',
  'patients:erase',
] as const;

export interface GatewayOptions {
  /** Settings over the harness's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: all. */
  readonly roles?: 'api' | 'worker' | 'hl7' | 'api,worker' | 'api,hl7' | 'api,worker,hl7';
  /** Default: a fresh migrated database, dropped at stop; null: the gateway's own embedded one in its data folder. */
  readonly databaseUrl?: string | null;
  /** Default: a fresh folder, removed at stop. Two gateways on one database share it, as they would a mounted volume. */
  readonly dataDir?: string;
  readonly port?: number;
  /** What to wait for; default ready. */
  readonly until?: 'ready' | 'listening' | 'spawned';
}

export interface CreatedKey {
  readonly keyId: string;
  readonly key: string;
}

/** A running gateway and what a test needs of it, whoever started it. */
export interface SharedGateway {
  readonly baseUrl: string;
  /** Superuser address of its database; empty for the embedded one. */
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly adminToken: string;
  /** Everything that it printed since this file has it. */
  readonly logs: string;
  /** The lines of its log of this event, likewise. */
  events(name: string): readonly LogLine[];
  admin(method: string, path: string, json?: unknown): Promise<Answer>;
  createOrganization(plan?: Plan): Promise<string>;
  createKey(organizationId: string, environment?: KeyEnvironment, scopes?: readonly string[]): Promise<CreatedKey>;
  /** A caller of a fresh enterprise organization with every scope. */
  createClient(plan?: Plan, environment?: KeyEnvironment): Promise<ApiClient>;
}

/** One of the test's own, which it may stop. */
export interface Gateway extends SharedGateway {
  readonly process: GatewayProcess;
  /** SIGTERM, waits for the end, removes what the harness made. */
  stop(): Promise<Exit>;
  /** SIGKILL, waits for the end; database and folder stay for the next start. */
  kill(): Promise<Exit>;
}

interface Ground {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  release(): Promise<void>;
}

const unstopped = new Set<Gateway>();

// A test that fails half way must not leave its gateways to the next file.
afterAll(async () => {
  await Promise.all(
    [...unstopped].map(async (gateway) => {
      await gateway.kill();
      await gateway.stop();
    }),
  );
});

/** Starts `node dist/src/main.js` on a free port, with the quick test model, and waits until it is ready. Needs a build. */
export async function startGateway(wish: GatewayOptions = {}): Promise<Gateway> {
  const gateway = await launchGateway(wish);
  unstopped.add(gateway);
  return gateway;
}

/** As `startGateway`, but nobody stops it at the end of the file. */
export async function launchGateway(wish: GatewayOptions): Promise<Gateway> {
  const ground = await prepareGround(wish);
  const adminToken = randomBytes(24).toString('hex');
  const child = new GatewayProcess(variablesOf(wish, ground, adminToken));
  try {
    const baseUrl = await waitUntil(
      child,
      wish.until ?? 'ready',
      wish.env?.['HOST']?.includes(':') === true ? `[${wish.env['HOST']}]` : '127.0.0.1',
    );
    return new RunningGateway(child, baseUrl, ground, adminToken, (stopped) => unstopped.delete(stopped));
  } catch (fault) {
    child.signal('SIGKILL');
    await ground.release();
    throw fault;
  }
}

/** The folder of the test model inside a data folder; a model that a test has damaged there stays damaged. */
export function testModelsFolder(dataDir: string): string {
  return join(dataDir, 'test-models');
}

async function prepareGround(wish: GatewayOptions): Promise<Ground> {
  const ownFolder = wish.dataDir === undefined;
  const dataDir = wish.dataDir ?? (await mkdtemp(join(tmpdir(), 'sutura-gateway-')));
  const database = wish.databaseUrl === undefined ? await createTestDatabase() : null;
  const models = testModelsFolder(dataDir);
  if (!existsSync(models)) await writeTestModel(models);
  return {
    dataDir,
    databaseUrl: wish.databaseUrl === undefined ? (database?.url ?? null) : wish.databaseUrl,
    release: async () => {
      await database?.drop();
      if (ownFolder) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function variablesOf(wish: GatewayOptions, ground: Ground, adminToken: string): NodeJS.ProcessEnv {
  const { PATH, HOME, LD_LIBRARY_PATH, TZ } = process.env;
  return {
    ...Object.fromEntries(
      Object.entries({ PATH, HOME, LD_LIBRARY_PATH, TZ }).filter(([, value]) => value !== undefined),
    ),
    NODE_ENV: 'test',
    PORT: String(wish.port ?? 0),
    SUTURA_DATA_DIR: ground.dataDir,
    SUTURA_ROLES: wish.roles ?? 'api,worker,hl7',
    ...(ground.databaseUrl === null ? {} : { DATABASE_URL: ground.databaseUrl }),
    SUTURA_ADMIN_TOKEN: adminToken,
    SUTURA_MODELS_DIR: testModelsFolder(ground.dataDir),
    SUTURA_SEGMENTATION_MODEL: TEST_MODEL,
    SUTURA_WORKER_PROCESSES: '1',
    // A gateway that nobody asks anything costs twelve statements a sweep, in two processes.
    SUTURA_SWEEP_INTERVAL_MS: '1000',
    // Specs steer areas with one photo and many scales; those about photos that are used again turn it off.
    SUTURA_ALLOW_REUSED_PHOTOS: 'true',
    SUTURA_LEASE_S: '2',
    SUTURA_DATABASE_POOL: '8',
    SUTURA_READS_PER_S: '10000',
    SUTURA_READ_BURST: '10000',
    SUTURA_WRITES_PER_S: '10000',
    SUTURA_WRITE_BURST: '10000',
    SUTURA_ORGANIZATION_WRITES_PER_S: '10000',
    SUTURA_ORGANIZATION_WRITE_BURST: '10000',
    ...wish.env,
  };
}

async function waitUntil(
  child: GatewayProcess,
  until: 'ready' | 'listening' | 'spawned',
  host: string,
): Promise<string> {
  if (until === 'spawned') return '';
  const listening = await child.waitForEvent('server.listening', 60_000);
  const baseUrl = `http://${host}:${Number(listening['port'])}`;
  if (until === 'listening') return baseUrl;
  await eventually('the gateway is ready', async () => {
    if (child.hasExited) throw new Error('the gateway ended');
    return (await fetch(`${baseUrl}/health/ready`)).status === 200;
  }).catch((fault: unknown) => {
    throw new Error(`${String(fault)}\n${child.text.slice(-4000)}`);
  });
  return baseUrl;
}

/** The callers of a gateway, by its address and its operator's token. */
export class ReachedGateway {
  constructor(
    readonly baseUrl: string,
    readonly adminToken: string,
  ) {}

  admin(method: string, path: string, json?: unknown): Promise<Answer> {
    return send(method, `${this.baseUrl}/admin/v1${path}`, {
      key: this.adminToken,
      ...(json === undefined ? {} : { json }),
    });
  }

  async createOrganization(plan: Plan = 'enterprise'): Promise<string> {
    const answer = await this.admin('POST', '/organizations', {
      name: `Clinic ${randomBytes(4).toString('hex')}`,
      plan,
    });
    return expectStatus(201, answer).body.organizationId as string;
  }

  async createKey(
    organizationId: string,
    environment: KeyEnvironment = 'test',
    scopes: readonly string[] = ALL_SCOPES,
  ): Promise<CreatedKey> {
    const answer = await this.admin('POST', `/organizations/${organizationId}/keys`, { environment, scopes });
    const { keyId, key } = expectStatus(201, answer).body as CreatedKey;
    return { keyId, key };
  }

  async createClient(plan: Plan = 'enterprise', environment: KeyEnvironment = 'test'): Promise<ApiClient> {
    const { key } = await this.createKey(await this.createOrganization(plan), environment);
    return new ApiClient(this.baseUrl, key);
  }
}

class RunningGateway extends ReachedGateway implements Gateway {
  constructor(
    readonly process: GatewayProcess,
    baseUrl: string,
    private readonly ground: Ground,
    adminToken: string,
    private readonly onStop: (stopped: Gateway) => void,
  ) {
    super(baseUrl, adminToken);
  }

  get databaseUrl(): string {
    return this.ground.databaseUrl ?? '';
  }

  get dataDir(): string {
    return this.ground.dataDir;
  }

  get logs(): string {
    return this.process.text;
  }

  events(name: string): readonly LogLine[] {
    return this.process.events(name);
  }

  async stop(): Promise<Exit> {
    if (!this.process.hasExited) this.process.signal('SIGTERM');
    const overdue = setTimeout(() => this.process.signal('SIGKILL'), 40_000);
    const exit = await this.process.exited;
    clearTimeout(overdue);
    this.onStop(this);
    await this.ground.release();
    return exit;
  }

  async kill(): Promise<Exit> {
    this.process.signal('SIGKILL');
    return this.process.exited;
  }
}
