import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditWitness, ROWS_REMOVED } from '../../../core/audit/audit-witness.js';
import { OperatorTrail } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { AuditLog } from '../../../core/audit/audit-log.js';
import { TrailCheck } from '../../../core/audit/trail-check.js';
import { gaugeOf } from '../../../platform/health/shared-metrics.js';
import { Logger } from '../../../platform/logging/logger.js';

const WITNESS: Operator = { door: 'cli', name: 'operator:audit-witness' };
const NAMED_IDS = 100;
const SEAL_EVERY_MS = 60_000;
const VERIFY_EVERY_MS = 24 * 60 * 60_000;
/** Not at the start, which has enough to do; soon after it, so that a restart hides no break for a day. */
const FIRST_VERIFY_AFTER_MS = 10 * 60_000;
/** A process that has not sealed for so long has failed to, and shows its age as one that has; before, it would show a seal that it never made. */
const FIRST_SEAL_WITHIN_MS = 5 * 60_000;

/** Seals the audit trail every minute, looks for rows that were removed before they were sealed, and checks the whole chain ten minutes after the start and then once a day. A break is an error in the log, which says where. */
@Injectable()
export class AuditSealer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  /** null: it has not been checked since the start. */
  private breaks: number | null = null;
  private readonly startedAtMs = performance.now();
  /** null: nothing has been sealed since the start. */
  private sealedAtMs: number | null = null;
  private verifyAtMs = this.startedAtMs + FIRST_VERIFY_AFTER_MS;

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
      'Time since this process last sealed the audit trail, which it does every minute; where it has not yet, nothing for five minutes, then the time since its start',
      () => this.sealAgeS(),
    );
    gaugeOf(
      'sutura_audit_chain_breaks',
      'Breaks that the last check of the audit chain found, ten minutes after the start and then each day; nothing before the first; alarm on any',
      () => this.breaks,
    );
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.round());
    }, SEAL_EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private sealAgeS(): number | null {
    const nowMs = performance.now();
    if (this.sealedAtMs !== null) return (nowMs - this.sealedAtMs) / 1000;
    const runsForMs = nowMs - this.startedAtMs;
    return runsForMs < FIRST_SEAL_WITHIN_MS ? null : runsForMs / 1000;
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
      if (!missed && nowMs < this.verifyAtMs) return;
      this.verifyAtMs = nowMs + VERIFY_EVERY_MS;
      const { breaks, ...counts } = await this.check.run();
      this.breaks = breaks.length;
      for (const { reason, ...where } of breaks.slice(0, 100))
        this.logger.error('audit.chain_broken', { ...where, reason });
      if (breaks.length === 0) this.logger.info('audit.chain_verified', counts);
    } catch (error) {
      this.logger.warn('audit.not_sealed', { error: error instanceof Error ? error.name : 'unknown' });
    }
  }
}
