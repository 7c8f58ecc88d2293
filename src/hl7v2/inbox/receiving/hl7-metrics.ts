import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Counter, Gauge, Histogram, register } from 'prom-client';
import type { AcknowledgmentCode } from '../../ack/acknowledgment-code.js';
import type { Hl7Problem } from '../../problems/hl7-problem.js';
import type { MllpListenerEvent } from '../../mllp/mllp-handler.js';
import { ServedListeners, type ListenerStanding } from '../listeners/served-listeners.js';
import { InboundQueries, type InboundBacklog } from '../store/inbound-queries.js';

const WAITING = 'sutura_hl7_inbound_waiting';
const AGE = 'sutura_hl7_inbound_oldest_seconds';
const FRESH_MS = 5000;

/** Metrics of inbound messages. Every instance counts into the process-wide register. */
@Injectable()
export class Hl7Metrics implements OnModuleInit {
  private readonly acks = counter(
    'sutura_hl7_acknowledgments_total',
    'Acknowledgments of inbound HL7 messages, by MSA-1',
    ['code'],
  );
  private readonly refusals = counter(
    'sutura_hl7_refusals_total',
    'Inbound HL7 messages that were refused, by the first condition of ERR-3',
    ['condition'],
  );
  private readonly messages = counter(
    'sutura_hl7_messages_total',
    'Inbound HL7 messages, by transport and what they were',
    ['transport', 'outcome'],
  );
  private readonly sockets = counter(
    'sutura_hl7_connection_events_total',
    'What happened to MLLP connections besides messages',
    ['event'],
  );
  private readonly junk = counter(
    'sutura_hl7_junk_bytes_total',
    'Bytes on MLLP connections that belonged to no message',
    [],
  );
  private readonly latency = latencyHistogram();
  private readonly connections = gauge('sutura_hl7_connections', 'Open MLLP connections');

  private last: { readonly at: number; readonly figures: Promise<InboundBacklog> } | undefined;

  constructor(
    private readonly queries: InboundQueries,
    private readonly listeners: ServedListeners,
  ) {}

  onModuleInit(): void {
    if (register.getSingleMetric(WAITING) !== undefined) return;
    const backlog = () => this.backlog();
    new Gauge({
      name: WAITING,
      help: 'HL7 messages that came in and are not processed yet',
      async collect() {
        this.set((await backlog()).waiting);
      },
    });
    new Gauge({
      name: AGE,
      help: 'Age of the oldest HL7 message that is not processed yet; alarm on this',
      async collect() {
        this.set((await backlog()).oldestS);
      },
    });
    const standings = () => this.listeners.standings();
    byListener(
      'sutura_hl7_listener_served',
      'Whether a listener that has a port and is not paused is served by a gateway; alarm on 0',
      standings,
      ({ served }) => (served ? 1 : 0),
    );
    byListener(
      'sutura_hl7_listener_certificate_days',
      'Whole days until the certificate of a served listener ends',
      standings,
      ({ certificateDays }) => certificateDays,
    );
  }

  received(
    transport: 'mllp' | 'http',
    outcome: 'new' | 'duplicate' | 'reused_control_id' | 'answer' | 'unparsable' | 'oversize' | 'not_kept',
  ): void {
    this.messages.inc({ transport, outcome });
  }

  /** `tookS`: seconds from the complete message to the acknowledgment. */
  acknowledged(code: AcknowledgmentCode, tookS: number, problems: readonly Hl7Problem[]): void {
    this.acks.inc({ code });
    this.latency.observe({ kind: code.startsWith('C') ? 'accept' : 'application' }, tookS);
    const error = problems.find(({ severity }) => severity === 'error');
    if (error !== undefined) this.refusals.inc({ condition: error.condition });
  }

  happened(event: MllpListenerEvent): void {
    if (event.kind === 'connected') this.connections.inc();
    if (event.kind === 'disconnected') this.connections.dec();
    this.sockets.inc({ event: event.kind });
    if ('sizeBytes' in event) this.junk.inc(event.sizeBytes);
  }

  /** Read from the database on a scrape, at most once in 5 s. */
  private backlog(): Promise<InboundBacklog> {
    if (this.last === undefined || performance.now() - this.last.at > FRESH_MS)
      this.last = { at: performance.now(), figures: this.queries.backlog() };
    return this.last.figures;
  }
}

function counter(name: string, help: string, labelNames: string[]): Counter {
  return (register.getSingleMetric(name) as Counter | undefined) ?? new Counter({ name, help, labelNames });
}

function gauge(name: string, help: string): Gauge {
  return (register.getSingleMetric(name) as Gauge | undefined) ?? new Gauge({ name, help });
}

/** Listeners without a value are left out. */
function byListener(
  name: string,
  help: string,
  standings: () => Promise<ReadonlyMap<string, ListenerStanding>>,
  figureOf: (standing: ListenerStanding) => number | null,
): void {
  new Gauge({
    name,
    help,
    labelNames: ['listener'],
    async collect() {
      const known = await standings();
      this.reset();
      for (const [listener, standing] of known) {
        const figure = figureOf(standing);
        if (figure !== null) this.set({ listener }, figure);
      }
    },
  });
}

function latencyHistogram(): Histogram {
  const name = 'sutura_hl7_ack_seconds';
  const known = register.getSingleMetric(name) as Histogram | undefined;
  const buckets = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 2, 5, 10];
  return (
    known ??
    new Histogram({
      name,
      help: 'Time from a complete HL7 message to its acknowledgment',
      labelNames: ['kind'],
      buckets,
    })
  );
}
