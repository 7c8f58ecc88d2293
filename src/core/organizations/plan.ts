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
