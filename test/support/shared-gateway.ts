import { launchGateway, ReachedGateway, type Gateway, type SharedGateway } from './gateway.js';
import { linesOf, type LogLine } from './gateway-process.js';
import { endsWithRun } from './test-servers.js';

/** Of all files that this worker runs, each of which evaluates this module anew. */
const SHARED = Symbol.for('sutura.tests.shared-gateway');
const held = process as { [SHARED]?: Gateway };

/** Leases that a busy machine does not outlast, receivers on this machine, and callers' addresses by a header. */
const env = {
  SUTURA_LEASE_S: '30',
  SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8',
  SUTURA_EHR_NETWORKS: '127.0.0.0/8',
  TRUST_PROXY: 'loopback',
};

/**
 * The gateway of this worker, for files that ask for no settings of their own: the first one starts it, and it ends with the
 * run. A file makes organizations of its own and sees others beside them, as in a hospital.
 */
export async function sharedGateway(): Promise<SharedGateway> {
  if (held[SHARED] === undefined || held[SHARED].process.hasExited) held[SHARED] = await start();
  return new SharedByFiles(held[SHARED]);
}

async function start(): Promise<Gateway> {
  const gateway = await launchGateway({ env });
  gateway.process.unref();
  await endsWithRun(gateway.process.pid, gateway.dataDir);
  return gateway;
}

class SharedByFiles extends ReachedGateway implements SharedGateway {
  readonly databaseUrl: string;
  readonly dataDir: string;
  private readonly textBefore: number;

  constructor(private readonly gateway: Gateway) {
    super(gateway.baseUrl, gateway.adminToken);
    ({ databaseUrl: this.databaseUrl, dataDir: this.dataDir } = gateway);
    this.textBefore = gateway.logs.length;
  }

  get logs(): string {
    return this.gateway.logs.slice(this.textBefore);
  }

  events(name: string): readonly LogLine[] {
    return linesOf(this.logs).filter(({ event }) => event === name);
  }
}
