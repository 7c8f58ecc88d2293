/** One thing that this process needs before it can take work. `check` throws if it is not usable. */
export abstract class ReadinessProbe {
  abstract readonly name: string;
  abstract check(): Promise<void>;
}

type ReadinessReport = Readonly<Record<string, 'ok' | 'failed'>>;

const PROBE_TIMEOUT_MS = 2000;

/** Asks every probe. One that does not answer in time has failed. After `close` the process is no longer ready. */
export class Readiness {
  private closed = false;

  /** `findProbes`: the probes of this process, asked for once the application is complete. */
  constructor(private readonly findProbes: () => readonly ReadinessProbe[]) {}

  /** Called first when stopping, so that a load balancer looks elsewhere. */
  close(): void {
    this.closed = true;
  }

  async report(): Promise<{ readonly ready: boolean; readonly checks: ReadinessReport }> {
    const states = await Promise.all(
      this.findProbes().map(async (probe) => [probe.name, await this.ask(probe)] as const),
    );
    const checks: ReadinessReport = Object.fromEntries([
      ...states,
      ...(this.closed ? [['stopping', 'failed'] as const] : []),
    ]);
    return { ready: Object.values(checks).every((state) => state === 'ok'), checks };
  }

  private async ask(probe: ReadinessProbe): Promise<'ok' | 'failed'> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer')), PROBE_TIMEOUT_MS);
    });
    try {
      await Promise.race([probe.check(), late]);
      return 'ok';
    } catch {
      return 'failed';
    } finally {
      clearTimeout(timer);
    }
  }
}
