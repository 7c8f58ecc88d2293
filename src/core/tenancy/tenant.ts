export const ENVIRONMENTS = ['test', 'live'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** One organization in one environment. All clinical data belongs to exactly one tenant. */
export interface Tenant {
  readonly organizationId: string;
  readonly environment: Environment;
}

/** The tenant alone of something that belongs to one. */
export function tenantOf({ organizationId, environment }: Tenant): Tenant {
  return { organizationId, environment };
}
