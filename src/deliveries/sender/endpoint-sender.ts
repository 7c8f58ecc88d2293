import { randomUUID } from 'node:crypto';
import { failpoint } from '../../platform/failpoints.js';
import { analysisContext } from '../../platform/tracing/analysis-trace.js';
import { inContext, newTrace } from '../../platform/tracing/spans.js';
import type { Columns } from '../queue/delivery.js';
import type { DueDelivery, EndpointLease, LeasedDeliveries, Turn } from '../queue/leased-deliveries.js';
import { EndpointPause } from './endpoint-pause.js';
import type { Connection, SenderReports, SendingEndpoint, Transport } from './exit.js';
import { judge, type Outcome, type Silence } from './outcome.js';
import { OutageWatch } from './outage-watch.js';
import type { SenderTimings } from './sender-timings.js';

export interface SenderPorts<Endpoint, Own, Answer> {
  readonly deliveries: LeasedDeliveries<Own>;
  readonly transport: Transport<Endpoint, Own, Answer>;
  readonly reports: SenderReports<Endpoint, Own, Answer>;
}

const STOPPED: Silence = { kind: 'silent', fault: 'stopped', mayHaveArrived: false };
const SEALED: Silence = { kind: 'silent', fault: 'sealed', mayHaveArrived: false };

/** Sends the deliveries of one endpoint, one after another, as long as this process holds its lease. */
export class EndpointSender<Endpoint extends SendingEndpoint, Own, Answer> {
  private readonly lease: EndpointLease;
  private readonly wakeUp = new WakeUp();
  private readonly outage: OutageWatch;
  private readonly pause: EndpointPause;
  private connection: Connection<Own, Answer> | null = null;
  private leasedUntil = 0;
  /** What comes next, where that was asked for with the delivery before. */
  private taken: Turn<Own> | null = null;
  private stopped = false;
  private running: Promise<void> | null = null;

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
    this.running ??= this.run();
  }

  /** Something may be due. `atOnce`: a person wants it tried now, whatever the endpoint's pause is. */
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
    await this.ports.deliveries.release(this.lease).catch(() => undefined);
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        const pauseMs = await this.round();
        if (pauseMs > 0 && !this.stopped) await this.wakeUp.wait(pauseMs);
      } catch (error) {
        // The database is away: nothing was lost, and the delivery comes up again.
        this.ports.reports.senderFailed(this.endpoint, error);
        if (!this.stopped) await this.wakeUp.wait(this.timings.pollMs);
      }
    }
    this.hangUp();
  }

  /** Sends one delivery, if one is due. Answers how long to wait before the next round, in ms. */
  private async round(): Promise<number> {
    const { deliveries, reports, transport } = this.ports;
    const taken = this.taken;
    this.taken = null;
    if (!(await this.hold())) {
      this.hangUp();
      return this.timings.pollMs;
    }
    if (this.pause.restMs > 0) return Math.max(1, Math.min(this.pause.restMs, this.timings.pollMs));
    const { next, dueInMs } = taken ?? (await this.take(() => deliveries.next(this.lease, this.endpoint)));
    if (next === null) return Math.max(1, Math.min(dueInMs ?? this.timings.pollMs, this.timings.pollMs));
    if ('sealed' in next) {
      await deliveries.parkSealed(next.sealed, transport.columnsOf(next.sealed.id, SEALED));
      reports.sealed(this.endpoint, next.sealed);
    } else await this.deliver(next);
    return 0;
  }

  /** What was told of until now is seen by this statement. */
  private take(statement: () => Promise<Turn<Own>>): Promise<Turn<Own>> {
    this.wakeUp.forget();
    return statement();
  }

  /** The lease is prolonged well before it ends. */
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
    const outcome = await this.tracedAttempt(delivery);
    await failpoint('delivery_answered');
    if (this.stopped && outcome.kind === 'silent') return;
    const fault = outcome.kind === 'silent' ? outcome.fault : null;
    const verdict = judge(outcome, delivery, this.timings);
    this.outage.note(fault);
    reports.attempted(this.endpoint, delivery, outcome, verdict.kind);
    const columns = transport.columnsOf(delivery.id, outcome);
    if (verdict.kind === 'delivered') await this.accepted(delivery.id, columns);
    else {
      const next =
        verdict.kind === 'parked'
          ? { state: 'parked' as const, afterMs: 0, failures: 0, refusals: delivery.refusals }
          : { state: 'waiting' as const, ...verdict };
      const unsent = delivery.unsent && outcome.kind === 'silent' && !outcome.mayHaveArrived;
      await deliveries.failed(this.lease, delivery.id, { ...next, fault, unsent, columns });
      if (unsent && this.endpoint.collapse) await deliveries.collapse(delivery.id);
    }
    if (outcome.kind === 'silent') this.pause.silence(outcome.mayHaveArrived);
    else if (this.pause.answer()) await deliveries.outageOver(this.endpoint.id);
  }

  /** Writes it down, and takes the next one with it where nothing else is to be done before. */
  private async accepted(id: string, columns: Columns): Promise<void> {
    const { deliveries } = this.ports;
    const goesOn = !this.stopped && !this.pause.isSilent && !this.endpoint.stopOnParked;
    if (!goesOn) return deliveries.delivered(id, columns);
    this.taken = await this.take(() => deliveries.deliveredThenNext(this.lease, this.endpoint, id, columns));
  }

  /** In the trace of the analysis whose report is delivered, however long ago that was made. */
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

  /** The lease is kept for as long as the receiver may take; without it the attempt is broken off, since another process will send. */
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

/** Lets a loop wait until it is called or a time has passed; a call that comes earlier and is not forgotten ends the next wait at once. */
class WakeUp {
  private called = false;
  private end: (() => void) | undefined;

  call(): void {
    this.called = true;
    this.end?.();
  }

  forget(): void {
    this.called = false;
  }

  async wait(ms: number): Promise<void> {
    if (!this.called) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.end = undefined;
    this.called = false;
  }
}
