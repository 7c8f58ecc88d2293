import type { QuotaUsage } from '../../core/organizations/quota.js';
import { remainingOf } from '../../core/organizations/quota.js';

/** The daily quota as `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers, structured fields). */
export function rateLimitHeaders(quota: QuotaUsage): Record<string, string> {
  return {
    'ratelimit-policy': `"daily";q=${quota.limit};w=86400`,
    ratelimit: `"daily";r=${remainingOf(quota)};t=${quota.resetsInS}`,
  };
}
