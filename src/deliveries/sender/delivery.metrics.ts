import { Counter, Gauge, register } from 'prom-client';
import type { Backlog } from '../queue/leased-deliveries.js';

const FRESH_MS = 5000;

interface Figure {
  readonly name: string;
  readonly help: string;
}

/** The names under which an exit shows the figures of its queue. */
interface DeliveryFigures {
  /** The label that names the endpoint. */
  readonly label: string;
  /** By `label` and `code`, the answer's. */
  readonly attempts: Figure;
  /** Seconds, by `label`. */
  readonly oldest: Figure;
  /** By `label` and `state`. */
  readonly deliveries: Figure;
}

/** Figures of one exit's queue; counts into the process-wide register. */
export class DeliveryMetrics {
  private last: { readonly at: number; readonly backlog: Promise<readonly Backlog[]> } | undefined;

  constructor(
    private readonly figures: DeliveryFigures,
    private readonly read: () => Promise<readonly Backlog[]>,
  ) {}

  attempted(endpointId: string, code: string): void {
    const { attempts, label } = this.figures;
    (register.getSingleMetric(attempts.name) as Counter | undefined)?.inc({ [label]: endpointId, code });
  }

  onModuleInit(): void {
    const { label, attempts, oldest, deliveries } = this.figures;
    if (register.getSingleMetric(attempts.name) !== undefined) return;
    const backlog = () => this.backlog();
    new Counter({ ...attempts, labelNames: [label, 'code'] });
    new Gauge({
      ...oldest,
      labelNames: [label],
      async collect() {
        this.reset();
        for (const { endpointId, oldestS } of await backlog()) this.set({ [label]: endpointId }, oldestS);
      },
    });
    new Gauge({
      ...deliveries,
      labelNames: [label, 'state'],
      async collect() {
        this.reset();
        for (const { endpointId, waiting, parked } of await backlog()) {
          this.set({ [label]: endpointId, state: 'waiting' }, waiting);
          this.set({ [label]: endpointId, state: 'parked' }, parked);
        }
      },
    });
  }

  /** Read from the database when somebody scrapes, at most once in 5 s. */
  private backlog(): Promise<readonly Backlog[]> {
    if (this.last === undefined || Date.now() - this.last.at > FRESH_MS)
      this.last = { at: Date.now(), backlog: this.read() };
    return this.last.backlog;
  }
}
