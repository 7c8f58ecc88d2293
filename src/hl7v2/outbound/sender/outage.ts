import type { Logger } from '../../../platform/logging/logger.js';

/** Calls the operator when a destination has been silent for long, and again for as long as it stays so. */
export class Outage {
  private since: number | null = null;
  private calledAt = 0;
  /** As last told. */
  private fault: string | null = null;

  constructor(
    private readonly destinationId: string,
    private readonly alertAfterMs: number,
    private readonly logger: Logger,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** One attempt is over. `fault`: why there was no acknowledgment, as a code; null: there was one. Another fault than before is told at once. */
  note(fault: string | null): void {
    const now = this.now();
    if (fault === null) {
      if (this.since !== null && this.calledAt > 0)
        this.logger.info('hl7.destination_answers_again', {
          destinationId: this.destinationId,
          silentS: this.seconds(now),
        });
      this.since = null;
      this.calledAt = 0;
      this.fault = null;
      return;
    }
    this.since ??= now;
    if (this.fault !== fault)
      this.logger.warn('hl7.destination_silent', {
        destinationId: this.destinationId,
        silentS: this.seconds(now),
        fault,
      });
    this.fault = fault;
    if (now - Math.max(this.since, this.calledAt) < this.alertAfterMs) return;
    this.calledAt = now;
    this.logger.error('hl7.destination_silent', {
      destinationId: this.destinationId,
      silentS: this.seconds(now),
      fault,
    });
  }

  private seconds(now: number): number {
    return Math.round((now - (this.since ?? now)) / 1000);
  }
}
