/** Time since the first attempt without an answer. */
export interface Outage {
  readonly silentS: number;
}

interface Listener {
  silent(outage: Outage & { readonly fault: string; readonly isAlarm: boolean }): void;
  answersAgain(outage: Outage): void;
}

/** Alerts operators when an endpoint has not answered for long, and repeats the alert while that lasts. */
export class OutageWatch {
  private since: number | null = null;
  private alarmedAt = 0;
  /** The fault last reported. */
  private fault: string | null = null;

  constructor(
    private readonly alertAfterMs: number,
    private readonly listener: Listener,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Records an attempt. `fault`: why there was no answer, as a code; null: there was one. A new fault is reported at once. */
  note(fault: string | null): void {
    const now = this.now();
    if (fault === null) {
      if (this.alarmedAt > 0) this.listener.answersAgain({ silentS: this.seconds(now) });
      this.since = null;
      this.alarmedAt = 0;
      this.fault = null;
      return;
    }
    this.since ??= now;
    if (this.fault !== fault) this.listener.silent({ silentS: this.seconds(now), fault, isAlarm: false });
    this.fault = fault;
    if (now - Math.max(this.since, this.alarmedAt) < this.alertAfterMs) return;
    this.alarmedAt = now;
    this.listener.silent({ silentS: this.seconds(now), fault, isAlarm: true });
  }

  private seconds(now: number): number {
    return Math.round((now - (this.since ?? now)) / 1000);
  }
}
