import { randomUUID } from 'node:crypto';
import { failpoint } from '../../../platform/failpoints.js';
import { analysisContext } from '../../../platform/tracing/analysis-trace.js';
import { inContext, newTrace } from '../../../platform/tracing/spans.js';
import type { Handover } from '../queue/handover.js';
import type { Arrival, DueDelivery, EndpointLease, LeasedDeliveries, NextDue } from '../queue/leased-deliveries.js';
import { MOST_AHEAD } from '../queue/claim-statements.js';
import { EndpointPause } from './endpoint-pause.js';
import type { Connection, SenderReports, SendingEndpoint, Transport } from './exit.js';
import { judge, type Outcome, type NoAnswer } from './outcome.js';
import { OutageWatch } from './outage-watch.js';
import { ReadAhead } from './read-ahead.js';
import type { SenderTimings } from './sender-timings.js';
import { WakeUp } from './wake-up.js';

export interface SenderPorts<Endpoint, Own, Answer> {
  readonly deliveries: LeasedDeliveries<Own>;
  readonly transport: Transport<Endpoint, Own, Answer>;
  readonly reports: SenderReports<Endpoint, Own, Answer>;
  /** Hands over deliveries of this process from memory. Only where attempts are counted with their outcome. */
  readonly handover?: Handover<Own> | null;
}

const STOPPED: NoAnswer = { kind: 'silent', fault: 'stopped', mayHaveArrived: false };
const SEALED: NoAnswer = { kind: 'silent', fault: 'sealed', mayHaveArrived: false };

/** Sends the deliveries of one endpoint, one after another, as long as this process holds its lease. */
export class EndpointSender<Endpoint extends SendingEndpoint, Own, Answer> {
  private readonly lease: EndpointLease;
  private readonly wakeUp = new WakeUp();
  private readonly outage: OutageWatch;
  private readonly pause: EndpointPause;
  private connection: Connection<Own, Answer> | null = null;
  private leasedUntil = 0;
  private readonly ahead = new ReadAhead<Own>();
  /** Delivered, not yet recorded, oldest first: recorded by the next query, or after `unwrittenMs`. */
  private unrecorded: readonly Arrival[] = [];
  /** New work was signalled since the last query. */
  private hasNewWork = false;
  private stopped = false;
  private running: Promise<void> | null = null;
  private closeHandover: (() => void) | undefined;
  private readonly unwritable = (error: unknown): void => this.ports.reports.senderFailed(this.endpoint, error);

  constructor(
    private readonly endpoint: Endpoint,
    private readonly ports: SenderPorts<Endpoint, Own, Answer>,
    private readonly timings: SenderTimings,
  ) {
    const { reports } = ports;
    this.lease = { endpointId: endpoint.id, token: randomUUID() };
    this.outage = new OutageWatch(timings.alertAfterMs, {
      silent: (outage) => reports.silent(endpoint, outage),
      answersAgain: (outage) => reports.answersAgain(endpoint, outage),
    });
    this.pause = new EndpointPause(timings);
  }

  start(): void {
    this.closeHandover ??= this.ports.handover?.open(this.lease.token, (handed) => {
      this.ahead.add(handed);
      this.wakeUp.call();
    });
    this.running ??= this.run();
  }

  /** Signals new work. `atOnce`: try now, even if the endpoint is pausing. */
  wake(atOnce = false): void {
    if (atOnce) this.pause.end();
    this.hasNewWork = true;
    this.wakeUp.call();
  }

  /** Gives an attempt in flight `stopGraceMs`; one that is cut off is repeated with the same bytes by the next holder of the lease. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.closeHandover?.();
    this.wakeUp.call();
    const grace = setTimeout(() => this.hangUp(), this.timings.stopGraceMs);
    await this.running;
    clearTimeout(grace);
    await this.ports.deliveries.release(this.lease).catch(() => undefined);
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        const pauseMs = await this.round();
        if (pauseMs > 0 && !this.stopped) await this.wakeUp.wait(pauseMs);
      } catch (error) {
        // Database unavailable: nothing is lost, the delivery is fetched again.
        this.unwritable(error);
        if (!this.stopped) await this.wakeUp.wait(this.timings.pollMs);
      }
    }
    await this.recordDelivered().catch(this.unwritable);
    this.hangUp();
  }

  /** Sends one delivery, if one is due. Returns how long to wait before the next round, in ms. */
  private async round(): Promise<number> {
    const { deliveries, reports, transport } = this.ports;
    const { pollMs } = this.timings;
    if (!(await this.hold())) {
      this.hangUp();
      this.ahead.forget();
      await this.recordDelivered();
      return pollMs;
    }
    if (this.pause.restMs > 0) return Math.max(1, Math.min(this.pause.restMs, pollMs));
    // Bounds how many delivered rows are unrecorded, however fast more is handed over.
    const isFull = this.unrecorded.length >= MOST_AHEAD;
    const next = isFull ? await this.fetchNext() : (this.ahead.take() ?? (this.restMs() || (await this.fetchNext())));
    if (typeof next === 'number') return Math.max(1, Math.min(next, pollMs));
    if ('sealed' in next) {
      await deliveries.parkSealed(next.sealed, transport.columnsOf(next.sealed.id, SEALED));
      reports.sealed(this.endpoint, next.sealed);
    } else await this.deliver(next);
    return 0;
  }

  /** How long unrecorded deliveries may wait to be recorded together with the next one, in ms. 0: not at all. */
  private restMs(): number {
    const [oldest] = this.unrecorded;
    if (oldest === undefined || this.hasNewWork || !this.ahead.isAllSent) return 0;
    return Math.max(0, oldest.endedMs + this.timings.unwrittenMs - performance.now());
  }

  /** The next delivery, or how long to wait for one, in ms. Records what was delivered in the same statement. */
  private async fetchNext(): Promise<NextDue<Own> | number> {
    const { deliveries } = this.ports;
    if (this.endpoint.stopOnParked) await this.recordDelivered();
    this.ahead.forget();
    this.wakeUp.forget();
    this.hasNewWork = false;
    const [first, ...others] = this.unrecorded;
    const turn =
      first === undefined
        ? await deliveries.next(this.lease, this.endpoint)
        : await deliveries.deliveredThenNext(this.lease, this.endpoint, [first, ...others]);
    this.unrecorded = [];
    this.ahead.fill(turn);
    return this.ahead.take() ?? turn.dueInMs ?? this.timings.pollMs;
  }

  /** What cannot be recorded now is recorded by the next round, and not sent again by this process. */
  private async recordDelivered(): Promise<void> {
    const [first, ...others] = this.unrecorded;
    if (first === undefined) return;
    await this.ports.deliveries.delivered(this.lease, [first, ...others]);
    this.unrecorded = [];
  }

  /** Renews the lease well before it expires. */
  private async hold(): Promise<boolean> {
    const now = performance.now();
    if (now < this.leasedUntil - (2 * this.timings.leaseMs) / 3) return true;
    const held = await this.ports.deliveries.hold(this.lease, this.timings.leaseMs);
    this.leasedUntil = held ? now + this.timings.leaseMs : 0;
    return held;
  }

  private async deliver(delivery: DueDelivery<Own>): Promise<void> {
    const { deliveries, transport, reports } = this.ports;
    await failpoint('delivery_taken');
    const beganMs = performance.now();
    const outcome = await this.attemptWhileRecording(delivery);
    const time = { beganMs, endedMs: performance.now() };
    await failpoint('delivery_answered');
    if (this.stopped && outcome.kind === 'silent') return;
    const fault = outcome.kind === 'silent' ? outcome.fault : null;
    const verdict = judge(outcome, delivery, this.timings);
    this.outage.note(fault);
    reports.attempted(this.endpoint, delivery, outcome, verdict.kind);
    const columns = transport.columnsOf(delivery.id, outcome);
    if (verdict.kind === 'delivered') await this.accepted({ id: delivery.id, columns, ...time });
    else {
      this.ahead.forget();
      await this.recordDelivered();
      const next =
        verdict.kind === 'parked'
          ? { state: 'parked' as const, afterMs: 0, failures: 0, refusals: delivery.refusals }
          : { state: 'waiting' as const, ...verdict };
      const unsent = delivery.unsent && outcome.kind === 'silent' && !outcome.mayHaveArrived;
      await deliveries.failed(this.lease, delivery.id, { ...next, ...time, fault, unsent, columns });
      if (unsent && this.endpoint.collapse) await deliveries.collapse(delivery.id);
    }
    if (outcome.kind === 'silent') this.pause.silence(outcome.mayHaveArrived);
    else if (this.pause.answer()) await deliveries.outageOver(this.endpoint.id);
  }

  /** Recorded by the next query, unless it must be recorded first. */
  private async accepted(arrival: Arrival): Promise<void> {
    this.unrecorded = [...this.unrecorded, arrival];
    if (this.pause.isSilent || this.endpoint.stopOnParked) await this.recordDelivered();
  }

  /** Records earlier deliveries while a slow receiver still answers. */
  private async attemptWhileRecording(delivery: DueDelivery<Own>): Promise<Outcome<Answer>> {
    if (this.unrecorded.length === 0) return this.tracedAttempt(delivery);
    let written: Promise<void> | undefined;
    const timer = setTimeout(() => {
      written = this.recordDelivered().catch(this.unwritable);
    }, this.timings.unwrittenMs);
    try {
      return await this.tracedAttempt(delivery);
    } finally {
      clearTimeout(timer);
      await written;
    }
  }

  /** Continues the trace of the analysis whose report is delivered. */
  private tracedAttempt(delivery: DueDelivery<Own>): Promise<Outcome<Answer>> {
    const facts = {
      'sutura.delivery.id': delivery.id,
      'sutura.delivery.endpoint.id': this.endpoint.id,
      'sutura.delivery.attempt': delivery.attempts,
    };
    const { transport } = this.ports;
    const reportId = transport.reportOf === undefined ? delivery.subjectId : transport.reportOf(delivery);
    return inContext(
      reportId === null ? newTrace() : analysisContext(reportId),
      'delivery.attempt',
      facts,
      async (span) => {
        const outcome = await this.attempt(delivery);
        span.note({ 'sutura.delivery.outcome': outcome.kind === 'answered' ? outcome.meaning : outcome.fault });
        return outcome;
      },
    );
  }

  /** Renews the lease during the attempt; if it is lost, the attempt is aborted, as another process will send. */
  private async attempt(delivery: DueDelivery<Own>): Promise<Outcome<Answer>> {
    const { transport } = this.ports;
    const renewal = setInterval(() => void this.renew(), this.timings.leaseMs / 3);
    try {
      this.connection ??= await transport.open(this.endpoint);
      if (this.stopped) return STOPPED;
      return { kind: 'answered', ...(await this.connection.send(delivery)) };
    } catch (error) {
      return transport.silenceOf(error);
    } finally {
      clearInterval(renewal);
    }
  }

  private async renew(): Promise<void> {
    const now = performance.now();
    const held = await this.ports.deliveries.hold(this.lease, this.timings.leaseMs).catch(() => null);
    if (held === true) this.leasedUntil = now + this.timings.leaseMs;
    const lost = held === false || now > this.leasedUntil;
    if (!lost) return;
    this.leasedUntil = 0;
    this.hangUp();
  }

  /** The next delivery opens a connection of its own. */
  private hangUp(): void {
    this.connection?.close();
    this.connection = null;
  }
}
