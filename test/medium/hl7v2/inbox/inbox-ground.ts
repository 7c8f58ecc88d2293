import 'reflect-metadata';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Global, Module, type DynamicModule, type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Bundle, Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { PhotoCopyErasers } from '../../../../src/core/erasure/photo-copy-erasers.js';
import { ObjectStore } from '../../../../src/core/images/object-store.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { Hl7Module } from '../../../../src/composition/hl7v2.module.js';
import type { Er7Message } from '../../../../src/standards/hl7v2/er7/er7-message.js';
import { InboundMapper } from '../../../../src/doors/hl7v2/mapping/inbound-mapper.js';
import type { InboundPlan } from '../../../../src/doors/hl7v2/mapping/plan/inbound-plan.js';
import {
  LISTENER_SETTINGS,
  type Hl7Listener,
  type ListenerSettingsInput,
} from '../../../../src/doors/hl7v2/inbox/listeners/hl7-listener.js';
import { ListenerRepository } from '../../../../src/doors/hl7v2/inbox/listeners/listener.repository.js';
import { ListenerSupervisor } from '../../../../src/doors/hl7v2/inbox/receiving/listener-supervisor.js';
import { MessageRebuilding } from '../../../../src/exits/mllp/results/message-rebuilding.js';
import { HL7_OUTBOX_PROVIDERS } from '../../../../src/exits/mllp/providers.js';
import { ReceivedOrders } from '../../../../src/standards/hl7v2/records/received-orders.js';
import { MessageEncryption } from '../../../../src/standards/hl7v2/encryption/message-encryption.js';
import {
  ClinicalRecords,
  type AppliedBundle,
  type ApplyOptions,
  type FiledPhoto,
} from '../../../../src/standards/hl7v2/records/clinical-records.js';
import { readSettings } from '../../../../src/platform/config/settings.js';
import { UnknownAuthorities } from '../../../../src/core/held/unknown-authorities.js';
import { UnknownPatients } from '../../../../src/core/held/unknown-patients.js';
import { LearnedAuthorities } from '../../../../src/core/patients/learned-authorities.js';
import { RecordsModule } from '../../../../src/records/records.module.js';
import { Logger } from '../../../../src/platform/logging/logger.js';
import { PlatformModule } from '../../../../src/platform/platform.module.js';
import { MemoryStore } from '../../../support/memory-store.js';
import { freePort } from '../../../support/free-port.js';

const CR = '\r';

/** Stands in for the records of the FHIR door: a real transaction, and a list of what was committed. */
export class ScriptedRecords extends ClinicalRecords {
  readonly applied: { readonly caller: Caller; readonly bundle: Bundle; readonly options: ApplyOptions }[] = [];
  /** Thrown by the next calls, one each. */
  readonly faults: unknown[] = [];
  /** Thrown by each call for such a Bundle; undefined: it goes well. */
  faultOf: (bundle: Bundle) => unknown = () => undefined;
  waitsForQuotaUntil: Date | null = null;
  /** What each call waits for before it does anything. */
  gate: Promise<void> = Promise.resolve();
  running = 0;
  mostRunning = 0;

  constructor(private readonly unitOfWork: () => UnitOfWork) {
    super();
  }

  woundOf(): Promise<null> {
    return Promise.resolve(null);
  }

  require(): Promise<void> {
    return Promise.resolve();
  }

  async apply(caller: Caller, bundle: Bundle, options: ApplyOptions): Promise<AppliedBundle> {
    this.running += 1;
    this.mostRunning = Math.max(this.running, this.mostRunning);
    try {
      await this.gate;
      const fault = this.faults.shift() ?? this.faultOf(bundle);
      if (fault !== undefined) throw fault;
      const analysisIds = [v7()];
      const outcome = {
        references: (bundle.entry ?? []).map(() => `ServiceRequest/${v7()}`),
        versions: (bundle.entry ?? []).map(() => ({ versionId: '1', isNew: true })),
        analysisIds,
        analysesOfEntries: (bundle.entry ?? []).map(() => analysisIds),
        waitsForQuotaUntil: this.waitsForQuotaUntil,
      };
      await this.unitOfWork().inTenant(caller, (transaction) => options.within(transaction, outcome));
      this.applied.push({ caller, bundle, options });
      return outcome;
    } finally {
      this.running -= 1;
    }
  }

  looking<T>(_tenant: Tenant, work: (lookups: this) => Promise<T>): Promise<T> {
    return work(this);
  }

  findByIdentifier<T extends Resource>(): Promise<T[]> {
    return Promise.resolve([]);
  }

  standingOf(): Promise<null> {
    return Promise.resolve(null);
  }

  findingsSince(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  filedPhotos(): Promise<readonly FiledPhoto[]> {
    return Promise.resolve([]);
  }

  photoOfOrder(): Promise<string | null> {
    return Promise.resolve(null);
  }

  waitsForPhoto(): Promise<boolean> {
    return Promise.resolve(true);
  }

  read<T extends Resource>(): Promise<T | null> {
    return Promise.resolve(null);
  }
}

/** Every message with OBR is one order. */
export class ScriptedMapper {
  plan(message: Er7Message): Promise<InboundPlan> {
    const text = message.segment('OBR')?.field(2).text ?? '';
    const received = {
      placerSystem: '',
      placerValue: text,
      orc2: text,
      orc12: '',
      obr4: '',
      obr16: '',
      obr31: '',
      pid: message.segment('PID')?.raw ?? '',
      pv1: '',
    };
    const orders =
      message.segment('OBR') === null
        ? []
        : [{ action: { control: 'NW', kind: 'create' as const }, received, entry: 0 }];
    return Promise.resolve({
      bundle: {
        resourceType: 'Bundle',
        type: 'transaction',
        entry: [{ resource: { resourceType: 'Patient', id: message.segment('PID')?.field(3).text ?? '' } }],
      },
      places: [null],
      joins: [],
      waitingOrders: [],
      newPhotos: [],
      newOrders: [],
      conflicts: [],
      problems: [],
      orders,
    });
  }
}

/** The messages here say nothing of who assigns numbers, and wait for nobody. */
export const NOBODY_TO_ASK = [LearnedAuthorities, UnknownAuthorities, UnknownPatients].map((provide) => ({
  provide,
  useValue: {},
}));

@Global()
@Module({})
class ClinicalRecordsModule {
  static register(records: ClinicalRecords): DynamicModule {
    return {
      module: ClinicalRecordsModule,
      providers: [{ provide: ClinicalRecords, useValue: records }, PhotoCopyErasers, ...NOBODY_TO_ASK],
      exports: [ClinicalRecords, PhotoCopyErasers, ...NOBODY_TO_ASK.map(({ provide }) => provide)],
    };
  }
}

/** What is queued to go out, without those who send it. */
const WAITING: Type[] = [MessageEncryption, ReceivedOrders, ...(HL7_OUTBOX_PROVIDERS as Type[])];

/** Over the files of messages in this store. */
export function outboxOver(store: MemoryStore): DynamicModule {
  const objects = { provide: ObjectStore, useValue: store };
  // There are no reports here that a message could be made of.
  const rebuilding = { provide: MessageRebuilding, useValue: {} };
  return {
    module: class OutboxGround {},
    providers: [...WAITING, objects, rebuilding],
    exports: [...WAITING, MessageRebuilding],
  };
}

/** One process of the door, over a real database and real sockets. */
export class InboxProcess {
  private constructor(
    private readonly app: INestApplicationContext,
    readonly records: ScriptedRecords,
    /** Of the files of messages. */
    readonly store: MemoryStore,
  ) {}

  static async start(
    databaseUrl: string,
    variables: Readonly<Record<string, string>> = {},
    logger = Logger.create('silent'),
  ): Promise<InboxProcess> {
    const settings = readSettings({
      SUTURA_LOG_LEVEL: 'silent',
      SUTURA_DATABASE_POOL: '8',
      SUTURA_ROLES: 'hl7',
      SUTURA_LEASE_S: '2',
      SUTURA_SWEEP_INTERVAL_MS: '200',
      ...variables,
    });
    const held: { app?: INestApplicationContext } = {};
    const records = new ScriptedRecords(() => held.app!.get(UnitOfWork, { strict: false }));
    const store = new MemoryStore();
    const door = Hl7Module.register(settings, outboxOver(store));
    const scripted = {
      ...door,
      providers: [
        ...(door.providers ?? []).filter((one) => one !== InboundMapper),
        { provide: InboundMapper, useClass: ScriptedMapper },
      ],
    };
    const imports = [
      PlatformModule.register(settings, logger),
      RecordsModule.register(databaseUrl),
      ClinicalRecordsModule.register(records),
      scripted,
    ];
    held.app = await NestFactory.createApplicationContext(
      { module: class InboxGround {}, imports },
      { logger: false, abortOnError: false },
    );
    return new InboxProcess(held.app, records, store);
  }

  get<T>(token: Type<T> | (abstract new (...args: never[]) => T)): T {
    return this.app.get<T>(token as Type<T>, { strict: false });
  }

  /** A served listener; on a port that no client of another test still asks, which would leave a message of its own. */
  async listener(
    tenant: Tenant,
    settings: Partial<ListenerSettingsInput> = {},
    name: string = v7(),
  ): Promise<Hl7Listener & { readonly servedOn: number }> {
    const made = await this.get(ListenerRepository).create(
      tenant,
      name,
      LISTENER_SETTINGS.parse({ port: await freePort(), ...settings }),
    );
    await this.get(ListenerSupervisor).look();
    return { ...made, servedOn: this.get(ListenerSupervisor).portOf(made.id)! };
  }

  close(): Promise<void> {
    return this.app.close();
  }
}

/** A sender: frames out, acknowledgments in. */
export class Sender {
  private received = Buffer.alloc(0);
  private readonly waiting: ((frame: string | null) => void)[] = [];
  private readonly frames: string[] = [];
  isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
      for (const next of this.waiting.splice(0)) next(null);
    });
  }

  static async open(port: number): Promise<Sender> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Sender(socket);
  }

  write(message: string | Buffer): void {
    this.socket.write(Buffer.concat([Buffer.from([0x0b]), Buffer.from(message as string), Buffer.from([0x1c, 0x0d])]));
  }

  /** The next acknowledgment, segments by position; null: the connection was closed. */
  async next(): Promise<string | null> {
    const ready = this.frames.shift();
    if (ready !== undefined) return ready;
    return this.isClosed ? null : new Promise((arrived) => this.waiting.push(arrived));
  }

  async ask(message: string | Buffer): Promise<Ack> {
    this.write(message);
    const answer = await this.next();
    if (answer === null) throw new Error('The connection was closed without an acknowledgment.');
    return readAck(answer);
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.received = Buffer.concat([this.received, chunk]);
    for (let end = this.received.indexOf('\x1c\r'); end !== -1; end = this.received.indexOf('\x1c\r')) {
      const frame = this.received.subarray(1, end).toString('utf8');
      this.received = this.received.subarray(end + 2);
      const next = this.waiting.shift();
      if (next === undefined) this.frames.push(frame);
      else next(frame);
    }
  }
}

export interface Ack {
  readonly code: string;
  /** MSA-2. */
  readonly of: string;
  readonly controlId: string;
  readonly sentAt: string;
  /** ERR-3.1 of each ERR. */
  readonly conditions: readonly string[];
  readonly text: string;
}

export function readAck(text: string): Ack {
  const segments = text.split(CR).map((segment) => segment.split('|'));
  const msa = segments.find(([name]) => name === 'MSA') ?? [];
  const msh = segments[0] ?? [];
  const conditions = segments.filter(([name]) => name === 'ERR').map((fields) => (fields[3] ?? '').split('^')[0] ?? '');
  return { code: msa[1] ?? '', of: msa[2] ?? '', controlId: msh[9] ?? '', sentAt: msh[6] ?? '', conditions, text };
}

export interface MessageOptions {
  readonly controlId?: string;
  readonly type?: string;
  readonly accept?: string;
  readonly application?: string;
  readonly processingId?: string;
  readonly version?: string;
  readonly sentAt?: string;
  readonly placer?: string;
  readonly segments?: readonly string[];
}

let counter = 0;

/** A message with a control id of its own. */
export function messageOf(wish: MessageOptions = {}): string {
  const {
    type = 'ORU^R01^ORU_R01',
    controlId = `MSG${(counter += 1)}`,
    accept = '',
    application = '',
    processingId = 'T',
    version = '2.5.1',
    sentAt = '20260315094003+0100',
    placer = 'ORD-1',
  } = wish;
  const msh = `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|${sentAt}||${type}|${controlId}|${processingId}|${version}|||${accept}|${application}||UNICODE UTF-8`;
  const body = wish.segments ?? [
    'PID|1||MRN-778812^^^HOSP^MR||Beispiel^Anna',
    `OBR|1|${placer}||39135-9^Wound assessment panel^LN`,
  ];
  return [msh, ...body, ''].join(CR);
}
