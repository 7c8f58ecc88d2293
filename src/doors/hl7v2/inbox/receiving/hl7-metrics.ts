import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Histogram, register } from 'prom-client';
import { MetricReading } from '../../../../platform/health/metric-reading.js';
import { gaugeOf, labelledGaugeOf, sharedCounter, sharedGauge } from '../../../../platform/health/shared-metrics.js';
import { ACCEPT_CODES, APPLICATION_CODES, type AcknowledgmentCode } from '../../ack/acknowledgment-code.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { MllpListenerEvent } from '../../../../standards/hl7v2/mllp/mllp-handler.js';
import { ServedListeners } from '../listeners/served-listeners.js';
import { InboundQueries, type InboundBacklog } from '../store/inbound-queries.js';

const TRANSPORTS = ['mllp', 'http'] as const;
const OUTCOMES = ['new', 'duplicate', 'reused_control_id', 'answer', 'unparsable', 'oversize', 'not_kept'] as const;

/** Every kind, checked by the compiler. */
const EVENTS: Readonly<Record<MllpListenerEvent['kind'], true>> = {
  connected: true,
  disconnected: true,
  'refused-network': true,
  'refused-full': true,
  'silent-closed': true,
  'idle-closed': true,
  'half-frame-closed': true,
  oversize: true,
  'junk-overflow': true,
  'tls-failed': true,
  'other-protocol': true,
  junk: true,
  'discarded-frame': true,
  'handler-failed': true,
};

/** Metrics of inbound messages. Every instance counts into the process-wide register. */
@Injectable()
export class Hl7Metrics implements OnModuleInit {
  private readonly acks = sharedCounter(
    'sutura_hl7_acknowledgments_total',
    'Acknowledgments of inbound HL7 messages, by MSA-1',
    ['code'],
  );
  private readonly refusals = sharedCounter(
    'sutura_hl7_refusals_total',
    'Inbound HL7 messages that were refused, by the first condition of ERR-3',
    ['condition'],
  );
  private readonly messages = sharedCounter(
    'sutura_hl7_messages_total',
    'Inbound HL7 messages, by transport and what they were',
    ['transport', 'outcome'],
  );
  private readonly sockets = sharedCounter(
    'sutura_hl7_connection_events_total',
    'What happened to MLLP connections besides messages',
    ['event'],
  );
  private readonly junk = sharedCounter(
    'sutura_hl7_junk_bytes_total',
    'Bytes on MLLP connections that belonged to no message',
  );
  private readonly latency = latencyHistogram();
  private readonly connections = sharedGauge('sutura_hl7_connections', 'Open MLLP connections');

  constructor(
    private readonly queries: InboundQueries,
    private readonly listeners: ServedListeners,
  ) {}

  onModuleInit(): void {
    this.countFromZero();
    this.registerBacklog();
    this.registerListeners();
  }

  received(transport: (typeof TRANSPORTS)[number], outcome: (typeof OUTCOMES)[number]): void {
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

  /** So that Prometheus sees the first of each as an increase. */
  private countFromZero(): void {
    for (const code of [...APPLICATION_CODES, ...ACCEPT_CODES]) this.acks.inc({ code }, 0);
    for (const event of Object.keys(EVENTS)) this.sockets.inc({ event }, 0);
    for (const transport of TRANSPORTS) for (const outcome of OUTCOMES) this.messages.inc({ transport, outcome }, 0);
  }

  private registerBacklog(): void {
    const reading = new MetricReading(() => this.queries.backlog());
    const figure = (of: (backlog: InboundBacklog) => number) => async () => {
      const backlog = await reading.latest();
      return backlog === null ? null : of(backlog);
    };
    gaugeOf(
      'sutura_hl7_inbound_waiting',
      'HL7 messages that came in and are not processed yet',
      figure(({ waiting }) => waiting),
    );
    gaugeOf(
      'sutura_hl7_inbound_oldest_seconds',
      'Age of the oldest HL7 message that is not processed yet; alarm on this',
      figure(({ oldestS }) => oldestS),
    );
    gaugeOf(
      'sutura_hl7_inbound_sealed',
      'HL7 messages that came in and that no configured key opens; alarm on any',
      figure(({ sealed }) => sealed),
    );
  }

  private registerListeners(): void {
    const served = gaugesByListener(async () => [...(await this.listeners.standings()).values()]);
    served(
      'sutura_hl7_listener_served',
      'Whether a listener that has a port and is not paused is served by a gateway; alarm on 0',
      (standing) => (standing.served ? 1 : 0),
    );
    served(
      'sutura_hl7_listener_certificate_days',
      'Whole days until the certificate of a served listener ends',
      ({ certificateDays }) => certificateDays,
    );
    const silent = gaugesByListener(() => this.listeners.silences());
    silent(
      'sutura_hl7_listener_silence_seconds',
      'Time since the last message that a listener took, where it is not paused; alarm where it is longer than is normal',
      ({ silentS }) => silentS,
    );
    silent(
      'sutura_hl7_listener_normal_silence_seconds',
      'For how long a listener may take no message, where its normalSilenceMinutes says so and it is not paused',
      ({ normalS }) => normalS,
    );
  }
}

/** Gauges that share one reading. Listeners without a value are left out. */
function gaugesByListener<T extends { readonly listenerId: string }>(read: () => Promise<readonly T[]>) {
  const reading = new MetricReading(read);
  return (name: string, help: string, figureOf: (of: T) => number | null): void =>
    labelledGaugeOf(name, help, ['listener'], async () =>
      ((await reading.latest()) ?? []).flatMap((one) => {
        const value = figureOf(one);
        return value === null ? [] : [{ labels: { listener: one.listenerId }, value }];
      }),
    );
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
