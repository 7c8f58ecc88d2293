import { randomUUID } from 'node:crypto';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Acknowledgment } from '../../mllp/acknowledgment.js';
import { MllpDeliveryError } from '../../mllp/mllp-client.js';
import type { Hl7Destination } from '../hl7-destination.js';
import type { DueMessage, FailedAttempt, SenderLease, SenderRows } from '../outbox/sender-rows.js';
import { judgeAttempt, type Attempt } from './delivery-policy.js';
import { DeliveryPause } from './delivery-pause.js';
import type { OutboundMetrics } from './outbound.metrics.js';
import { Outage } from './outage.js';
import type { SenderLine, SenderLines } from './sender-line.js';
import type { SenderTimings } from './sender-timings.js';
import { WakeUp } from './wake-up.js';

export interface SenderPorts {
  readonly rows: SenderRows;
  readonly lines: SenderLines;
  readonly metrics: OutboundMetrics;
  readonly logger: Logger;
  /** An acknowledgment of a message that is not in flight. */
  readonly onLateAnswer: (destination: Hl7Destination, acknowledgment: Acknowledgment) => Promise<void>;
}

/** Sends the messages of one destination, one after another, as long as this process holds its lease. */
export class DestinationSender {
  private readonly lease: SenderLease;
  private readonly wakeUp = new WakeUp();
  private readonly outage: Outage;
  private readonly pause: DeliveryPause;
  private line: SenderLine | null = null;
  private leasedUntil = 0;
  private stopped = false;
  private running: Promise<void> | null = null;

  constructor(
    private readonly destination: Hl7Destination,
    private readonly ports: SenderPorts,
    private readonly timings: SenderTimings,
  ) {
    this.lease = { destinationId: destination.id, token: randomUUID() };
    this.outage = new Outage(destination.id, timings.alertAfterMs, ports.logger);
    this.pause = new DeliveryPause(timings);
  }

  start(): void {
    this.running ??= this.run();
  }

  /** A message may be waiting. `atOnce`: a person wants it tried now, whatever the destination's pause is. */
  nudge(atOnce = false): void {
    if (atOnce) this.pause.end();
    this.wakeUp.call();
  }

  /** An attempt in flight has a moment to be answered; broken off, it is repeated with the same bytes by whoever sends next. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wakeUp.call();
    const grace = setTimeout(() => this.hangUp(), this.timings.stopGraceMs);
    await this.running;
    clearTimeout(grace);
    await this.ports.rows.release(this.lease).catch(() => undefined);
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        const pauseMs = await this.round();
        if (pauseMs > 0 && !this.stopped) await this.wakeUp.wait(pauseMs);
      } catch (error) {
        // The database is away: nothing was lost, and the message comes up again.
        this.ports.logger.error('hl7.sender_failed', { destinationId: this.destination.id }, error);
        if (!this.stopped) await this.wakeUp.wait(this.timings.pollMs);
      }
    }
    this.hangUp();
  }

  /** Sends one message, if one is due. How long to wait before the next round, in ms. */
  private async round(): Promise<number> {
    const { rows, logger } = this.ports;
    const { ordering, stopOnError } = this.destination.settings;
    if (!(await this.hold())) {
      this.hangUp();
      return this.timings.pollMs;
    }
    if (this.pause.restMs > 0) return Math.max(1, Math.min(this.pause.restMs, this.timings.pollMs));
    const message = await rows.next(this.lease, { order: ordering, stopOnError });
    if (message === null) {
      const nextIn = await rows.nextIn(this.destination.id);
      return Math.max(1, Math.min(nextIn ?? this.timings.pollMs, this.timings.pollMs));
    }
    if ('sealed' in message)
      logger.error('hl7.message_sealed', {
        destinationId: this.destination.id,
        messageId: message.sealed.id,
        controlId: message.sealed.controlId,
      });
    else await this.deliver(message);
    return 0;
  }

  /** The lease is prolonged well before it ends. */
  private async hold(): Promise<boolean> {
    const now = performance.now();
    if (now < this.leasedUntil - (2 * this.timings.leaseMs) / 3) return true;
    const held = await this.ports.rows.hold(this.lease, this.timings.leaseMs);
    this.leasedUntil = held ? now + this.timings.leaseMs : 0;
    return held;
  }

  private async deliver(message: DueMessage): Promise<void> {
    const { rows } = this.ports;
    const attempt = await this.attempt(message);
    if (this.stopped && attempt.kind === 'silent') return;
    const verdict = judgeAttempt(attempt, message, this.timings);
    this.note(message, attempt, verdict.kind);
    if (verdict.kind === 'delivered')
      await rows.delivered(message.id, attempt.kind === 'answered' ? attempt.code : null);
    else {
      const next =
        verdict.kind === 'parked'
          ? { state: 'parked' as const, afterMs: 0, failures: 0, refusals: message.refusals }
          : { state: 'waiting' as const, ...verdict };
      const unsent = message.unsent && attempt.kind === 'silent' && !attempt.mayHaveArrived;
      await rows.failed(this.lease, message.id, { ...next, ...toldBy(attempt), unsent });
      if (unsent && this.destination.settings.collapse) await rows.collapse(message.id);
    }
    if (attempt.kind === 'silent') this.pause.silence(attempt.mayHaveArrived);
    else if (this.pause.answer()) await rows.outageOver(this.destination.id);
  }

  /** The lease is kept for as long as the receiver may take; without it the attempt is broken off, since another process will send. */
  private async attempt({ bytes, controlId, kind }: DueMessage): Promise<Attempt> {
    const renewal = setInterval(() => void this.renew(), this.timings.leaseMs / 3);
    try {
      this.line ??= await this.ports.lines.open(
        this.destination.settings,
        (late) => void this.ports.onLateAnswer(this.destination, late),
      );
      if (this.stopped) return { kind: 'silent', fault: 'stopped', mayHaveArrived: false };
      if (kind === 'ack') {
        await this.line.transmit(bytes, this.destination.settings.ackTimeoutMs);
        return { kind: 'answered', code: 'CA', conditions: [], answer: null };
      }
      const { code, conditions, text, problems } = await this.line.send(
        bytes,
        controlId,
        this.destination.settings.ackTimeoutMs,
      );
      return { kind: 'answered', code, conditions, answer: { text, problems } };
    } catch (error) {
      return silenceOf(error);
    } finally {
      clearInterval(renewal);
    }
  }

  private async renew(): Promise<void> {
    const now = performance.now();
    const held = await this.ports.rows.hold(this.lease, this.timings.leaseMs).catch(() => null);
    if (held === true) this.leasedUntil = now + this.timings.leaseMs;
    const lost = held === false || now > this.leasedUntil;
    if (!lost) return;
    this.leasedUntil = 0;
    this.hangUp();
  }

  /** The next message opens a connection of its own. */
  private hangUp(): void {
    this.line?.close();
    this.line = null;
  }

  private note({ controlId }: DueMessage, attempt: Attempt, outcome: 'delivered' | 'parked' | 'retry'): void {
    const { logger, metrics } = this.ports;
    const destinationId = this.destination.id;
    this.outage.note(attempt.kind === 'silent' ? attempt.fault : null);
    metrics.attempted(destinationId, attempt.kind === 'silent' ? 'none' : attempt.code);
    if (outcome === 'delivered' || attempt.kind === 'silent') return;
    const said = { destinationId, controlId, ackCode: attempt.code, condition: conditionOf(attempt.conditions) };
    if (outcome === 'parked') logger.error('hl7.message_parked', said);
    else logger.warn('hl7.message_refused', said);
  }
}

/** As a code: nothing of a certificate, a path or a name. */
function silenceOf(error: unknown): Attempt {
  if (error instanceof MllpDeliveryError) {
    return {
      kind: 'silent',
      fault: error.code === null ? error.reason : `${error.reason} ${error.code}`,
      mayHaveArrived: error.mayHaveArrived,
    };
  }
  const code = (error as { code?: unknown } | null)?.code;
  return {
    kind: 'silent',
    fault: typeof code === 'string' ? `not_opened ${code}` : 'not_opened',
    mayHaveArrived: false,
  };
}

function toldBy(attempt: Attempt): Pick<FailedAttempt, 'ackCode' | 'ackCondition' | 'fault' | 'answer'> {
  if (attempt.kind === 'silent') return { ackCode: null, ackCondition: null, fault: attempt.fault };
  return { ackCode: attempt.code, ackCondition: conditionOf(attempt.conditions), fault: null, answer: attempt.answer };
}

/** ERR-3 is a code; what is none may be anything, and is no business of a log or a column. */
function conditionOf([first]: readonly string[]): string | null {
  return first !== undefined && /^[A-Za-z0-9._-]{1,20}$/.test(first) ? first : null;
}
