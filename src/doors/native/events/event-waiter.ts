import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { EventLog, type EventLogPage, type EventLogQuery } from '../../../core/deliveries/event-log.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';

/** Events come into the log in the background, mostly within a second: nobody is told of them sooner by looking more often. */
const LOOK_AGAIN_MS = 1000;
/** Of one tenant in this process: each costs a look a second. Those beyond are answered at once, as if they had not asked. */
const MOST_HELD = 20;

/** Holds readers of the log back until something happens. */
@Injectable()
export class EventWaiter implements OnModuleDestroy {
  private readonly stopping = new AbortController();
  /** Of each tenant, how many are held. */
  private readonly held = new Map<string, number>();

  constructor(private readonly log: EventLog) {}

  /** A graceful stop answers everybody who waits. */
  onModuleDestroy(): void {
    this.stopping.abort();
  }

  /** Whether one more of the tenant may be held. */
  hasRoom(tenant: Tenant): boolean {
    return (this.held.get(nameOf(tenant)) ?? 0) < MOST_HELD;
  }

  /** A page as soon as it has an event, or an empty one after `waitMs`, when `gone` is aborted or when the service stops. */
  async read(tenant: Tenant, query: EventLogQuery, waitMs: number, gone: AbortSignal): Promise<EventLogPage> {
    if (waitMs === 0) return this.log.read(tenant, query);
    this.count(tenant, 1);
    try {
      return await this.readHeld(tenant, query, waitMs, gone);
    } finally {
      this.count(tenant, -1);
    }
  }

  private async readHeld(
    tenant: Tenant,
    query: EventLogQuery,
    waitMs: number,
    gone: AbortSignal,
  ): Promise<EventLogPage> {
    const end = performance.now() + waitMs;
    const signal = AbortSignal.any([gone, this.stopping.signal]);
    for (;;) {
      const page = await this.log.read(tenant, query);
      const leftMs = end - performance.now();
      if (page.events.length > 0 || isBeyond(query, page) || leftMs <= 0 || signal.aborted) return page;
      // Ended early, it is looked once more.
      await pause(Math.min(leftMs, LOOK_AGAIN_MS), undefined, { signal }).catch(() => undefined);
    }
  }

  private count(tenant: Tenant, more: number): void {
    const name = nameOf(tenant);
    const now = (this.held.get(name) ?? 0) + more;
    if (now === 0) this.held.delete(name);
    else this.held.set(name, now);
  }
}

const nameOf = ({ organizationId, environment }: Tenant): string => `${organizationId} ${environment}`;

/** Behind all that the log has, as after a back-up was put back: it is told at once where the log ends now. */
function isBeyond({ after }: EventLogQuery, { lastNumber }: EventLogPage): boolean {
  return after !== null && after > lastNumber;
}
