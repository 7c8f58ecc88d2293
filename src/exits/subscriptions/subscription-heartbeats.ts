import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { SystemStatements } from '../../platform/database/statements.js';
import { HttpTimings } from '../http/index.js';
import { SubscriptionHeartbeat } from './subscription-heartbeat.js';
import { SubscriptionRegister } from './subscription-register.js';
import { SubscriptionReports } from './subscription-reports.js';

/** Concurrent heartbeats of one process. */
const AT_ONCE = 20;

/**
 * Takes those that are due, each for one process alone: nothing waits, and neither a notification nor a heartbeat went out for as long as the
 * owner said. One that is off, held back, disabled or without a handshake is sent none.
 */
const TAKE_DUE = `with moment as materialized (select sutura_now() as now),
  due as (select s.id from fhir_subscriptions s, moment
    where s.heartbeat_s is not null and s.deleted_at is null and not s.is_off and not s.paused and s.disabled_at is null
      and (s.ends_at is null or s.ends_at > moment.now)
      and coalesce(s.heartbeat_at, s.created_at) <= moment.now - make_interval(secs => s.heartbeat_s)
      and exists (select from fhir_subscription_deliveries h where h.subscription_id = s.id and h.number = 1 and h.state = 'delivered')
      and not exists (select from fhir_subscription_deliveries w where w.subscription_id = s.id and w.state = 'waiting')
      and (select last.delivered_at from fhir_subscription_deliveries last where last.subscription_id = s.id and last.state = 'delivered'
        order by last.number desc limit 1) <= moment.now - make_interval(secs => s.heartbeat_s)
    order by s.id limit $1 for update of s skip locked)
  update fhir_subscriptions s set heartbeat_at = moment.now from due, moment where s.id = due.id returning s.id`;

/**
 * Sends heartbeats (R4 backport guide 1.1.0, `backport-heartbeat-period`) from processes with the role `api`. The next one comes after the
 * period, whatever was answered; it stands in no log of deliveries.
 */
@Injectable()
export class SubscriptionHeartbeats implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly ending = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly statements: SystemStatements,
    private readonly register: SubscriptionRegister,
    private readonly heartbeat: SubscriptionHeartbeat,
    private readonly reports: SubscriptionReports,
    private readonly timings: HttpTimings,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.process.roles.includes('api')) this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      try {
        const { rows } = await this.statements.runPrepared<{ id: string }>(TAKE_DUE, [AT_ONCE]);
        await Promise.all(rows.map(({ id }) => this.send(id)));
      } catch (error) {
        // Database unavailable: what is due stays due.
        this.reports.endpointsUnknown(error);
      }
      await delay(this.timings.pollMs, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  private async send(id: string): Promise<void> {
    const subscription = await this.register.findAnywhere(id);
    if (subscription !== null) await this.heartbeat.send(subscription, this.ending.signal);
  }
}
