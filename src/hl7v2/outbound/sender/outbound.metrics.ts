import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Counter, Gauge, register } from 'prom-client';
import { OutboundMessageRepository, type Backlog } from '../outbox/outbound-message.repository.js';

const ATTEMPTS = 'sutura_hl7_outbound_attempts_total';
const AGE = 'sutura_hl7_outbound_oldest_seconds';
const MESSAGES = 'sutura_hl7_outbound_messages';
const FRESH_MS = 5000;

/** Figures of what goes out, by destination id; counts into the process-wide register. */
@Injectable()
export class OutboundMetrics implements OnModuleInit {
  private last: { readonly at: number; readonly figures: Promise<readonly Backlog[]> } | undefined;

  constructor(private readonly desk: OutboundMessageRepository) {}

  /** `code`: MSA-1, or none where there was no acknowledgment. AE, AR, CE and CR are refusals. */
  attempted(destination: string, code: string): void {
    (register.getSingleMetric(ATTEMPTS) as Counter | undefined)?.inc({ destination, code });
  }

  onModuleInit(): void {
    if (register.getSingleMetric(ATTEMPTS) !== undefined) return;
    const figures = () => this.figures();
    new Counter({
      name: ATTEMPTS,
      help: 'Attempts to deliver an HL7 message, by destination and MSA-1 of the acknowledgment',
      labelNames: ['destination', 'code'],
    });
    new Gauge({
      name: AGE,
      help: 'Age of the oldest HL7 message that waits for its destination; alarm on this',
      labelNames: ['destination'],
      async collect() {
        this.reset();
        for (const { destinationId, oldestS } of await figures()) this.set({ destination: destinationId }, oldestS);
      },
    });
    new Gauge({
      name: MESSAGES,
      help: 'HL7 messages that wait for their destination, or are parked',
      labelNames: ['destination', 'state'],
      async collect() {
        this.reset();
        for (const { destinationId, waiting, parked } of await figures()) {
          this.set({ destination: destinationId, state: 'waiting' }, waiting);
          this.set({ destination: destinationId, state: 'parked' }, parked);
        }
      },
    });
  }

  /** Read from the database when somebody scrapes, at most once in 5 s. */
  private figures(): Promise<readonly Backlog[]> {
    if (this.last === undefined || Date.now() - this.last.at > FRESH_MS)
      this.last = { at: Date.now(), figures: this.desk.backlog() };
    return this.last.figures;
  }
}
