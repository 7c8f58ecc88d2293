import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { v7 } from 'uuid';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { Logger } from '../../../platform/logging/logger.js';
import { MissingRecords } from '../../../standards/fhir/store/missing-records.js';
import { OpenedTenants } from '../../../standards/fhir/store/opened-tenants.js';
import { MissingResources } from './missing-resources.js';

/** How long a process takes a tenant for closed without looking again. */
const TRUST_CLOSED_MS = 2000;
/** By then every process has seen that a tenant was opened. */
const SEEN_BY_ALL_MS = TRUST_CLOSED_MS + 1000;
/** Within what senders wait for an answer anyway. */
const WAIT_MS = 5000;
/** After that long without a word of its holder, another process takes the work; both at once would write the same. */
const HOLD_S = 6;
const LOOK_AGAIN_MS = 250;
const MOST_RETRY_AFTER_S = 60;

/** What one process does for a tenant that was opened. */
interface Work {
  /** Resolves once all records from before are shown; true: by this process. */
  readonly shown: Promise<boolean>;
  /** `left`: jobs still to be looked through. */
  left: { readonly jobs: number; readonly seconds: number } | null;
}

/**
 * Whose records are kept as FHIR: tenants that ever asked for them, over the FHIR door or by an HL7 v2 message. What was filed before is
 * written at the first request; a photo of a tenant that never asked costs nothing here.
 */
@Injectable()
export class FhirActivation implements BeforeApplicationShutdown {
  /** Tenants that are known to be opened; they are never closed. */
  private readonly opened = new Set<string>();
  /** Tenants whose records are all shown. */
  private readonly complete = new Set<string>();
  /** Tenants that were found closed, with the moment until which that counts. */
  private readonly closedUntil = new Map<string, number>();
  private readonly works = new Map<string, Work>();
  private readonly ending = new AbortController();
  private readonly holder = v7();

  constructor(
    private readonly tenants: OpenedTenants,
    private readonly records: MissingRecords,
    private readonly missing: MissingResources,
    private readonly logger: Logger,
  ) {}

  /**
   * Whether an event of a tenant is to be shown. An event that was committed before this is asked, and for which the answer is no, is found by
   * whoever opens the tenant, even where the answer is some seconds old; and so is one that was not kept, since the tenant was closed as it was
   * written.
   */
  async isActive(tenant: Tenant): Promise<boolean> {
    const key = keyOf(tenant);
    if (this.opened.has(key)) return true;
    const asked = performance.now();
    if ((this.closedUntil.get(key) ?? -Infinity) > asked) return false;
    if ((await this.tenants.find(tenant)) !== null) this.opened.add(key);
    else this.closedUntil.set(key, asked + TRUST_CLOSED_MS);
    return this.opened.has(key);
  }

  /**
   * Activates a tenant, permanently. Resolves when the resources contain everything filed before. `fhir.preparing` if that takes too long for the request: it continues in the background.
   */
  async ensureActive(tenant: Tenant): Promise<void> {
    const key = keyOf(tenant);
    if (this.complete.has(key)) return;
    const { isComplete } = await this.tenants.open(tenant);
    this.opened.add(key);
    if (isComplete) {
      this.complete.add(key);
      return;
    }
    const work = this.works.get(key) ?? this.begin(tenant);
    const isShown = await Promise.race([work.shown.then(() => true), this.pause(WAIT_MS)]);
    if (isShown !== true) throw preparing(work);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await Promise.allSettled([...this.works.values()].map(({ shown }) => shown));
  }

  private begin(tenant: Tenant): Work {
    const key = keyOf(tenant);
    const work: Work = { left: null, shown: this.show(tenant, (left) => void (work.left = left)) };
    this.works.set(key, work);
    work.shown.then(
      (isOurs) => (isOurs ? this.settle(tenant) : void this.works.delete(key)),
      // The next request begins anew.
      () => this.works.delete(key),
    );
    return work;
  }

  private async show(tenant: Tenant, tell: (left: Work['left']) => void): Promise<boolean> {
    const isOurs = await this.takeHold(tenant);
    if (isOurs) await this.writeHeld(tenant, tell);
    this.complete.add(keyOf(tenant));
    return isOurs;
  }

  /** False: another process completed the opening meanwhile. */
  private async takeHold(tenant: Tenant): Promise<boolean> {
    while (!(await this.tenants.hold(tenant, this.holder, HOLD_S))) {
      if ((await this.tenants.find(tenant))?.isComplete === true) return false;
      await this.pause(LOOK_AGAIN_MS);
      this.requireRunning();
    }
    return true;
  }

  private async writeHeld(tenant: Tenant, tell: (left: Work['left']) => void): Promise<void> {
    const began = performance.now();
    const jobs = await this.records.count(tenant);
    let heldAt = began;
    await this.missing.write(tenant, async (looked) => {
      const now = performance.now();
      tell({ jobs: Math.max(0, jobs - looked), seconds: ((now - began) / looked / 1000) * (jobs - looked) });
      if (now - heldAt > (HOLD_S * 1000) / 3) {
        heldAt = now;
        await this.tenants.hold(tenant, this.holder, HOLD_S);
      }
      return !this.ending.signal.aborted;
    });
    await this.tenants.release(tenant, this.holder);
    this.requireRunning();
    this.logger.info('fhir.opened', { ...tenant, jobs });
  }

  /**
   * Another process may have taken the tenant for closed a moment longer, and left out what was filed then; and a transaction that had found it
   * closed may have filed its record since, or may be about to.
   */
  private async settle(tenant: Tenant): Promise<void> {
    try {
      const looking = await this.tenants.looking();
      await this.pause(SEEN_BY_ALL_MS);
      await this.untilEnded(looking);
      await this.missing.write(tenant, () => !this.ending.signal.aborted);
      this.requireRunning();
      await this.tenants.complete(tenant);
    } catch (error) {
      // Left incomplete: the next request or start repeats the backfill.
      if (!this.ending.signal.aborted) this.logger.error('fhir.opening_interrupted', { ...tenant }, error);
    } finally {
      this.works.delete(keyOf(tenant));
    }
  }

  private async untilEnded(transactions: readonly string[]): Promise<void> {
    for (let left = transactions; ;) {
      this.requireRunning();
      const underWay = new Set(left.length === 0 ? [] : await this.tenants.looking());
      left = left.filter((one) => underWay.has(one));
      if (left.length === 0) return;
      await this.pause(LOOK_AGAIN_MS);
    }
  }

  private requireRunning(): void {
    if (this.ending.signal.aborted) throw new SuturaError('service.unavailable', { retryAfterS: 2 });
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { ref: false, signal: this.ending.signal }).catch(() => undefined);
  }
}

function preparing({ left }: Work): SuturaError {
  if (left === null) return new SuturaError('fhir.preparing', { retryAfterS: MOST_RETRY_AFTER_S / 6 });
  return new SuturaError('fhir.preparing', {
    detail: `The first request of an organization has its earlier analyses written as FHIR; ${left.jobs} of them are still to come. Try again after Retry-After.`,
    retryAfterS: Math.min(MOST_RETRY_AFTER_S, Math.max(1, Math.ceil(left.seconds))),
  });
}

function keyOf({ organizationId, environment }: Tenant): string {
  return `${organizationId}/${environment}`;
}
