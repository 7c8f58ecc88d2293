import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, register } from 'prom-client';
import type { AcknowledgmentCode } from '../ack/index.js';
import type { Hl7Problem } from '../inbound/index.js';
import type { MllpListenerEvent } from '../mllp/index.js';

/** Figures of the inbound side. Every instance counts into the process-wide register. */
@Injectable()
export class Hl7Metrics {
  private readonly acks = counter('sutura_hl7_acknowledgments_total', 'Acknowledgments of inbound HL7 messages, by MSA-1', ['code']);
  private readonly refusals = counter('sutura_hl7_refusals_total', 'Inbound HL7 messages that were refused, by the first condition of ERR-3', ['condition']);
  private readonly messages = counter('sutura_hl7_messages_total', 'Inbound HL7 messages, by transport and what they were', ['transport', 'outcome']);
  private readonly sockets = counter('sutura_hl7_connection_events_total', 'What happened to MLLP connections besides messages', ['event']);
  private readonly junk = counter('sutura_hl7_junk_bytes_total', 'Bytes on MLLP connections that belonged to no message', []);
  private readonly latency = latencyHistogram();
  private readonly connections = gauge('sutura_hl7_connections', 'Open MLLP connections');

  received(transport: 'mllp' | 'http', outcome: 'new' | 'duplicate' | 'reused_control_id' | 'answer' | 'unparsable' | 'oversize' | 'not_kept'): void {
    this.messages.inc({ transport, outcome });
  }

  /** From the complete message to the acknowledgment, in seconds. */
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
}

function counter(name: string, help: string, labelNames: string[]): Counter {
  return (register.getSingleMetric(name) as Counter | undefined) ?? new Counter({ name, help, labelNames });
}

function gauge(name: string, help: string): Gauge {
  return (register.getSingleMetric(name) as Gauge | undefined) ?? new Gauge({ name, help });
}

function latencyHistogram(): Histogram {
  const name = 'sutura_hl7_ack_seconds';
  const known = register.getSingleMetric(name) as Histogram | undefined;
  const buckets = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 2, 5, 10];
  return known ?? new Histogram({ name, help: 'Time from a complete HL7 message to its acknowledgment', labelNames: ['kind'], buckets });
}
