import type { Settings } from '../config/settings.js';

const LEAST_SYSTEM_CONNECTIONS = 4;

/** Callers have SUTURA_DATABASE_POOL connections; the service's own work has a quarter besides, at least 4. */
export function poolSizes(settings: Settings): { readonly tenant: number; readonly system: number } {
  const tenant = settings.database.poolSize;
  return { tenant, system: Math.max(LEAST_SYSTEM_CONNECTIONS, Math.ceil(tenant / 4)) };
}
