/** Upper bounds, in seconds, of the classes that times from photo and order to report are counted in; the last class has none. */
export const LATENCY_BOUNDS_S = [0.5, 1, 2, 3, 5, 8, 12, 20, 30, 60, 120, 300, 900, 3600] as const;

/** What happened in one span, and what stood at its end. Counts alone: nothing of a patient. */
export interface ServiceFigures {
  /** Analyses that ended with a report, and those that failed. */
  readonly analysed: number;
  readonly failed: number;
  /** How many of them took how long from photo and order to report, by the classes of LATENCY_BOUNDS_S. */
  readonly latencies: readonly number[];
  /** Analyses by `name/version` of the model that outlined. */
  readonly models: Readonly<Record<string, number>>;
  /** HL7 v2 messages that came, how many of them were refused, and how many were made to be sent. */
  readonly messagesIn: number;
  readonly messagesRefused: number;
  readonly messagesOut: number;
  /** Attempts of webhooks and Subscriptions that failed. */
  readonly attemptsFailed: number;
  /** At the end of the span: jobs that wait or run; deliveries of all exits that wait, and that a person has to look at. */
  readonly queued: number;
  readonly deliveriesWaiting: number;
  readonly deliveriesParked: number;
  /** At the end of the span: analyses charged since 00:00 UTC. */
  readonly quotaUsed: number;
}

export type FigureName = keyof ServiceFigures;

/** Figures as they are kept: those that are 0 are left out. */
export type KeptFigures = Partial<ServiceFigures>;

/** A span of a chart. `figures` null: no sample was taken, as no gateway ran. */
export interface FigurePoint {
  /** End of the span. */
  readonly at: Date;
  readonly figures: (ServiceFigures & ReportTimes) | null;
}

/** Seconds, interpolated within a class; null: nothing ended. */
export interface ReportTimes {
  readonly p50S: number | null;
  readonly p95S: number | null;
}

/** What stands at a moment; everything else is counted over a span. */
const STANDING: readonly FigureName[] = ['queued', 'deliveriesWaiting', 'deliveriesParked', 'quotaUsed'];
export const NO_FIGURES: ServiceFigures = {
  analysed: 0,
  failed: 0,
  latencies: [],
  models: {},
  messagesIn: 0,
  messagesRefused: 0,
  messagesOut: 0,
  attemptsFailed: 0,
  queued: 0,
  deliveriesWaiting: 0,
  deliveriesParked: 0,
  quotaUsed: 0,
};

/** Figures of the same span that belong to several: everything is summed. */
export function together(parts: readonly KeptFigures[]): ServiceFigures {
  return parts.reduce<ServiceFigures>((sum, part) => joined(sum, part, (one, other) => one + other), NO_FIGURES);
}

/** Figures of consecutive spans: counts are summed, of levels the maximum is taken. */
export function inSuccession(parts: readonly KeptFigures[]): ServiceFigures {
  return parts.reduce<ServiceFigures>((sum, part) => joined(sum, part, Math.max), NO_FIGURES);
}

function joined(
  sum: ServiceFigures,
  part: KeptFigures,
  standing: (one: number, other: number) => number,
): ServiceFigures {
  const numbers = (Object.keys(NO_FIGURES) as FigureName[]).flatMap((name): [string, number][] => {
    const [one, other] = [sum[name], part[name] ?? 0];
    if (typeof one !== 'number' || typeof other !== 'number') return [];
    return [[name, STANDING.includes(name) ? standing(one, other) : one + other]];
  });
  const models = { ...sum.models };
  for (const [name, count] of Object.entries(part.models ?? {})) models[name] = (models[name] ?? 0) + count;
  return { ...sum, ...Object.fromEntries(numbers), models, latencies: summed(sum.latencies, part.latencies ?? []) };
}

function summed(one: readonly number[], other: readonly number[]): number[] {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, at) => (one[at] ?? 0) + (other[at] ?? 0));
}

/** The time below which a share of the analyses stayed; beyond the last bound that bound. */
export function latencyQuantile(latencies: readonly number[], share: number): number | null {
  const all = latencies.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let before = 0;
  for (const [at, count] of latencies.entries()) {
    if (before + count >= share * all && count > 0) {
      const low = at === 0 ? 0 : LATENCY_BOUNDS_S[at - 1]!;
      const high = LATENCY_BOUNDS_S[at] ?? low;
      return low + ((share * all - before) / count) * (high - low);
    }
    before += count;
  }
  return LATENCY_BOUNDS_S.at(-1)!;
}
