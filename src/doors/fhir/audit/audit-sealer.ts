import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditWitness, ROWS_REMOVED } from '../../../core/audit/audit-witness.js';
import { OperatorTrail } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { AuditLog } from '../../../core/audit/audit-log.js';
import { TrailCheck } from '../../../core/audit/trail-check.js';
import { gaugeOf, sharedGauge } from '../../../platform/health/shared-metrics.js';
import { Logger } from '../../../platform/logging/logger.js';

const WITNESS: Operator = { door: 'cli', name: 'operator:audit-witness' };
const NAMED_IDS = 100;
const SEAL_EVERY_MS = 60_000;
const VERIFY_EVERY_MS = 24 * 60 * 60_000;

/** Seals the audit trail every minute, looks for rows that were removed before they were sealed, and checks the whole chain once a day. A break is an error in the log, which says where. */
@Injectable()
export class AuditSealer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private readonly breaks = sharedGauge(
    'sutura_audit_chain_breaks',
    'Breaks that the last daily check of the audit chain found; 0 before the first; alarm on any',
  );
  private sealedAtMs = performance.now();
  private verifiedAtMs = performance.now();

  constructor(
    private readonly log: AuditLog,
    private readonly check: TrailCheck,
    private readonly witness: AuditWitness,
    private readonly trail: OperatorTrail,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    gaugeOf(
      'sutura_audit_seal_age_seconds',
      'Time since this process last sealed the audit trail, which it does every minute',
      () => (performance.now() - this.sealedAtMs) / 1000,
    );
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.round());
    }, SEAL_EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Writes down, outside of the database and in the trail, what this process wrote and is gone. True where there was something. */
  private async missed(): Promise<boolean> {
    const removed = await this.witness.removed();
    for (const { ids, ...of } of removed) {
      const named = ids.slice(0, NAMED_IDS).join(',');
      this.logger.error('audit.rows_removed', { ...of, rows: ids.length, ids: named });
      const query = `rows=${ids.length}&ids=${named}`;
      await this.trail.record(WITNESS, { interaction: ROWS_REMOVED, action: 'E', of, resources: [], query });
    }
    return removed.length > 0;
  }

  /** Never fails: entries that could not be sealed now are sealed in the next round. */
  async round(nowMs = performance.now()): Promise<void> {
    try {
      await this.log.seal();
      this.sealedAtMs = performance.now();
      const missed = await this.missed();
      if (!missed && nowMs - this.verifiedAtMs < VERIFY_EVERY_MS) return;
      this.verifiedAtMs = nowMs;
      const { breaks, ...counts } = await this.check.run();
      this.breaks.set(breaks.length);
      for (const { reason, ...where } of breaks.slice(0, 100))
        this.logger.error('audit.chain_broken', { ...where, reason });
      if (breaks.length === 0) this.logger.info('audit.chain_verified', counts);
    } catch (error) {
      this.logger.warn('audit.not_sealed', { error: error instanceof Error ? error.name : 'unknown' });
    }
  }
}
