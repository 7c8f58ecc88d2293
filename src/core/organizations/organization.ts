export const PLANS = ['free', 'pro', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

export interface PlanTerms {
  readonly analysesPerDay: number;
  /** Active keys of both environments together. */
  readonly apiKeys: number;
  /** Free is for testing and development only: no live keys. */
  readonly live: boolean;
}

/** The published plans (public interface, Limits). */
export const PLAN_TERMS: Readonly<Record<Plan, PlanTerms>> = {
  free: { analysesPerDay: 25, apiKeys: 1, live: false },
  pro: { analysesPerDay: 2000, apiKeys: 5, live: true },
  enterprise: { analysesPerDay: 20000, apiKeys: 10, live: true },
};

/** review: a report stays preliminary until a clinician attests it. auto-final: final at once. */
export const RESULT_POLICIES = ['review', 'auto-final'] as const;
export type ResultPolicy = (typeof RESULT_POLICIES)[number];

/** Handling of unsupported entries: refuse the message, or skip them and name them in the answer. */
export const UNSERVED_TYPES_POLICIES = ['refuse', 'ignore'] as const;
export type UnservedTypesPolicy = (typeof UNSERVED_TYPES_POLICIES)[number];

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** Replaces the plan's daily analyses where an agreement says so; null: the plan's own. */
  readonly dailyLimitOverride: number | null;
  readonly resultPolicy: ResultPolicy;
  /** A photo that comes over FHIR without an order is analysed, too. */
  readonly autoAnalyze: boolean;
  readonly unservedTypes: UnservedTypesPolicy;
  /** Hosts that photos may be fetched from over https, each `host` or `host:port`; none: nothing is fetched. */
  readonly imageHosts: readonly string[];
  /** Origins such as https://ehr.example.org whose pages may show the review desk in a frame; none: no page may. */
  readonly reviewFrameOrigins: readonly string[];
  /** Origins such as https://ehr.example.org whose pages may call the native API; none: no page may. */
  readonly browserOrigins: readonly string[];
  /** Networks inside, such as 10.20.0.0/16, that its webhooks and Subscriptions may be sent to beside those that are open to all. */
  readonly deliveryNetworks: readonly string[];
  /** IANA zone in which its documents print moments, such as Europe/Berlin; null: the service's own. */
  readonly timeZone: string | null;
  /** An order waits so long for its photo, and a photo for its order, before they stand on the list of what waits for a person; null: they never do. */
  readonly unmatchedAfterMinutes: number | null;
  readonly createdAt: Date;
}

/** How long an order or a photo waits for the other where its organization has set nothing else: a day. */
export const UNMATCHED_AFTER_MINUTES = 1440;

/** Of each plan, where the operator has set no other limit. */
export const ANALYSES_PER_DAY: Readonly<Record<Plan, number>> = {
  free: PLAN_TERMS.free.analysesPerDay,
  pro: PLAN_TERMS.pro.analysesPerDay,
  enterprise: PLAN_TERMS.enterprise.analysesPerDay,
};

/** Analyses per UTC day over both environments. */
export function dailyLimitOf(organization: Pick<Organization, 'plan' | 'dailyLimitOverride'>): number {
  return organization.dailyLimitOverride ?? PLAN_TERMS[organization.plan].analysesPerDay;
}
