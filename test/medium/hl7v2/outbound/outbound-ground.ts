import { PassThrough } from 'node:stream';
import { v7 } from 'uuid';
import type { DueDelivery, EndpointLease, LeasedDeliveries, SenderTimings } from '../../../../src/exits/kit/index.js';
import { Clock } from '../../../../src/core/ports/clock.js';
import { IdSource } from '../../../../src/core/ports/id-source.js';
import { UnitOfWork, type TenantTransaction } from '../../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import type { MessageColumns } from '../../../../src/exits/mllp/outbox/hl7-queue.js';
import { DestinationRegister } from '../../../../src/exits/mllp/destinations/destination-register.js';
import type { DestinationInput, Hl7Destination } from '../../../../src/exits/mllp/settings/hl7-destination.js';
import { DestinationRemoval } from '../../../../src/exits/mllp/destinations/destination-removal.js';
import type { NewMessage, OutboundRecord } from '../../../../src/exits/mllp/outbox/outbound-message.js';
import { OutboundControl } from '../../../../src/exits/mllp/outbox/outbound-control.js';
import { OutboundDeliveries } from '../../../../src/exits/mllp/outbox/outbound-deliveries.js';
import { OutboundQueue } from '../../../../src/exits/mllp/outbox/outbound-queue.js';
import { OutboundQueries } from '../../../../src/exits/mllp/outbox/outbound-queries.js';
import { DestinationSenders } from '../../../../src/exits/mllp/sender/destination-senders.js';
import { DeferredAcknowledgments } from '../../../../src/exits/mllp/sender/deferred-acknowledgments.js';
import { MllpTransport } from '../../../../src/exits/mllp/sender/mllp-transport.js';
import { MessageAssembly } from '../../../../src/exits/mllp/sender/message-assembly.js';
import type { ObjectStore } from '../../../../src/core/images/object-store.js';
import type { ReportDocumentArchive } from '../../../../src/core/report/report-document-archive.js';
import { MessageFileStore } from '../../../../src/standards/hl7v2/files/message-file-store.js';
import { MemoryStore } from '../../../support/memory-store.js';
import { OutboundMetrics } from '../../../../src/exits/mllp/sender/outbound.metrics.js';
import { OutboundReports } from '../../../../src/exits/mllp/sender/outbound-reports.js';
import { MessageEncryption } from '../../../../src/standards/hl7v2/encryption/message-encryption.js';
import { Settings } from '../../../../src/platform/config/settings.js';
import { NotificationListener } from '../../../../src/platform/database/notification-listener.js';
import { SystemStatements } from '../../../../src/platform/database/statements.js';
import { Logger } from '../../../../src/platform/logging/logger.js';
import type { DatabaseContext } from '../../../support/database-context.js';
import { eventually } from '../../../support/eventually.js';

const QUICK: SenderTimings = {
  firstPauseMs: 20,
  longestPauseMs: 100,
  refusalPausesMs: [10, 10, 10],
  pollMs: 100,
  leaseMs: 1500,
  alertAfterMs: 60_000,
  unwrittenMs: 500,
  stopGraceMs: 500,
};

/** The outbox of one test database, with as many sending processes as a test starts. */
export class OutboundGround {
  readonly register: DestinationRegister;
  readonly queue: OutboundQueue;
  readonly queries: OutboundQueries;
  readonly control: OutboundControl;
  readonly removal: DestinationRemoval;
  readonly deliveries: OutboundDeliveries;
  readonly deferredAcknowledgments: DeferredAcknowledgments;
  private readonly pools = new Set<DestinationSenders>();
  readonly encryption: MessageEncryption;
  /** Of the files of messages. */
  readonly store = new MemoryStore();
  readonly files = new MessageFileStore(this.store as unknown as ObjectStore);
  /** Makes lost documents anew. */
  archive: ReportDocumentArchive | undefined;
  private readonly log = new PassThrough();
  private readonly logger = Logger.create('debug', this.log);

  /** `settings`: of a process that has other ones than the context, such as another key. */
  constructor(
    readonly context: DatabaseContext,
    settings: Settings = context.get(Settings),
  ) {
    const statements = context.get(SystemStatements);
    const ids = context.get(IdSource);
    this.encryption = new MessageEncryption(settings);
    this.register = new DestinationRegister(statements, context.get(UnitOfWork), this.logger, ids, context.get(Clock));
    this.queue = new OutboundQueue(this.encryption, ids);
    this.queries = new OutboundQueries(statements, this.encryption, this.files);
    this.control = new OutboundControl(statements, context.get(UnitOfWork), this.queue, this.encryption);
    this.removal = new DestinationRemoval(
      this.register,
      this.control,
      this.queue,
      context.get(UnitOfWork),
      context.get(Clock),
    );
    this.deliveries = new OutboundDeliveries(statements, this.encryption);
    this.deferredAcknowledgments = new DeferredAcknowledgments(statements, this.register, this.encryption, this.logger);
  }

  destination(tenant: Tenant, port: number, wish: Partial<DestinationInput> = {}): Promise<Hl7Destination> {
    return this.register.create(tenant, `EHR ${v7()}`, {
      host: '127.0.0.1',
      port,
      receivingApplication: 'EHR',
      receivingFacility: 'HOSP',
      ackTimeoutMs: 30_000,
      ...wish,
    });
  }

  /** Starts what one process has for sending. */
  startProcess(timings: Partial<SenderTimings> = {}): DestinationSenders {
    const { register, deliveries, deferredAcknowledgments, logger, encryption, context, files, archive } = this;
    const [statements, clock] = [context.get(SystemStatements), context.get(Clock)];
    const messages = new MessageAssembly(files, archive!, statements, encryption, clock, logger);
    const pool = new DestinationSenders(
      register,
      deliveries,
      new MllpTransport(encryption, deferredAcknowledgments, messages, logger),
      new OutboundReports(logger, new OutboundMetrics(deliveries)),
      this.context.get(NotificationListener),
      { ...QUICK, ...timings },
    );
    this.pools.add(pool);
    pool.onApplicationBootstrap();
    return pool;
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.pools].map((pool) => pool.beforeApplicationShutdown()));
    this.pools.clear();
  }

  /** The next message, which must not be sealed. */
  async next(
    lease: EndpointLease,
    how: Parameters<LeasedDeliveries<MessageColumns>['next']>[1],
  ): Promise<DueDelivery<MessageColumns> | null> {
    const [due = null] = (await this.deliveries.next(lease, how)).due;
    if (due !== null && 'sealed' in due) throw new Error('The message is sealed.');
    return due;
  }

  /** What was logged since it was last asked for. */
  logged(): Record<string, unknown>[] {
    const text = (this.log.read() as Buffer | null)?.toString().trim() ?? '';
    return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Writes messages in a transaction of their own. */
  enqueue(tenant: Tenant, destination: Hl7Destination, ...messages: readonly NewMessage[]): Promise<number> {
    return this.inTenant(tenant, (transaction) => this.queue.enqueueMessages(transaction, destination, messages));
  }

  inTenant<T>(tenant: Tenant, work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    return this.context.get(UnitOfWork).inTenant(tenant, work);
  }

  /** Oldest first. */
  async messages(destination: Hl7Destination): Promise<OutboundRecord[]> {
    return (await this.queries.list({ destinationId: destination.id }, 1000)).reverse();
  }

  async states(destination: Hl7Destination): Promise<string[]> {
    return (await this.messages(destination)).map(({ state }) => state);
  }

  /** Waits until the messages stand so, in their order. */
  async untilStates(destination: Hl7Destination, ...wanted: readonly string[]): Promise<void> {
    await eventually(
      `messages to be ${wanted.join(', ')}`,
      async () => (await this.states(destination)).join() === wanted.join(),
    );
  }
}

/** A message that says what it is. */
export function newMessage(text: string, wish: Partial<NewMessage> = {}): NewMessage {
  return {
    kind: 'result',
    subjectId: v7(),
    version: 1,
    lane: 'P1',
    preliminary: false,
    imageIds: [],
    build: (controlId) =>
      Buffer.from(
        `MSH|^~\\&|SUTURA|SUTURA|EHR|HOSP|20260315094100+0100||ORU^R01^ORU_R01|${controlId}|T|2.5.1|||AL|NE\rNTE|1||${text}\r`,
      ),
    ...wish,
  };
}

/** What messages of `newMessage` say. */
export function saidIn(messages: readonly string[]): string[] {
  return messages.map((message) => message.split('NTE|1||')[1]!.trimEnd());
}
