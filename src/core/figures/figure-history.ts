import { SERVICE_TENANT } from '../audit/operator-trail.js';
import type { Clock } from '../ports/clock.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { FigureSample, FigureSamples } from './figure-samples.js';
import {
  inSuccession,
  latencyQuantile,
  together,
  type FigurePoint,
  type KeptFigures,
  type ServiceFigures,
} from './service-figures.js';

const SAMPLE_MS = 5 * 60_000;
const HOUR_MS = 3_600_000;
const KEPT_MS = 8 * 24 * HOUR_MS;

/** The spans of a chart: a day by five minutes, a week by hours. */
export const FIGURE_SPANS = ['day', 'week'] as const;
export type FigureSpan = (typeof FIGURE_SPANS)[number];
const SPANS: Readonly<Record<FigureSpan, { readonly stepMs: number; readonly points: number }>> = {
  day: { stepMs: SAMPLE_MS, points: 288 },
  week: { stepMs: HOUR_MS, points: 168 },
};

/** The service's own figures over time: taken every five minutes by whichever gateway comes first, kept for eight days. */
export class FigureHistory {
  constructor(
    private readonly samples: FigureSamples,
    private readonly clock: Clock,
  ) {}

  /** Takes the sample of the five minutes that ended last, unless it is there. True: it was taken now. */
  async take(): Promise<boolean> {
    const nowMs = this.clock.now().getTime();
    const at = new Date(nowMs - (nowMs % SAMPLE_MS));
    if (await this.samples.has(at)) return false;
    const measured = await this.samples.measure(new Date(at.getTime() - SAMPLE_MS), at);
    const whole: FigureSample = { ...SERVICE_TENANT, at, figures: wholeOf(measured) };
    await this.samples.keep([whole, ...measured], new Date(nowMs - KEPT_MS));
    return true;
  }

  /** Oldest first; of the whole installation where no organization is named. */
  async read(span: FigureSpan, of: Partial<Tenant>): Promise<FigurePoint[]> {
    const { stepMs, points } = SPANS[span];
    const nowMs = this.clock.now().getTime();
    const end = nowMs - (nowMs % stepMs) + (span === 'week' ? stepMs : 0);
    const from = new Date(end - points * stepMs);
    const [taken, own] = await Promise.all([
      this.samples.list(from, SERVICE_TENANT),
      of.organizationId === undefined ? null : this.samples.list(from, of),
    ]);
    return Array.from({ length: points }, (_, place): FigurePoint => {
      const at = new Date(from.getTime() + (place + 1) * stepMs);
      const isWithin = (sample: FigureSample) => endOf(sample.at, stepMs) === at.getTime();
      const marks = taken.filter(isWithin);
      if (marks.length === 0) return { at, figures: null };
      return { at, figures: withQuantiles(inSuccession(byMoment(own?.filter(isWithin) ?? marks))) };
    });
  }
}

/** Quota is counted by organization, for both environments together. */
function wholeOf(measured: readonly FigureSample[]): ServiceFigures {
  return together(measured.map(({ figures }) => figures));
}

const endOf = (at: Date, stepMs: number): number => Math.ceil(at.getTime() / stepMs) * stepMs;

/** Both environments of each moment as one. */
function byMoment(samples: readonly FigureSample[]): KeptFigures[] {
  const moments = new Map<number, KeptFigures[]>();
  for (const { at, figures } of samples) moments.set(at.getTime(), [...(moments.get(at.getTime()) ?? []), figures]);
  return [...moments.values()].map((parts) => together(parts));
}

function withQuantiles(figures: ServiceFigures): NonNullable<FigurePoint['figures']> {
  const { latencies } = figures;
  return { ...figures, p50S: latencyQuantile(latencies, 0.5), p95S: latencyQuantile(latencies, 0.95) };
}
