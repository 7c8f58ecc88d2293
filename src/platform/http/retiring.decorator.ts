import { applyDecorators, Header } from '@nestjs/common';

export interface Retirement {
  /** The date from which the route should no longer be used. */
  readonly deprecatedAt: Date;
  /** The date from which it may be gone, at least 12 months after its successor came (contract, Versioning). */
  readonly sunsetAt: Date;
  /** The page that describes the successor. */
  readonly successorUrl: string;
}

/**
 * Marks a retiring route: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to its successor on every answer.
 */
export function Retiring(retirement: Retirement): MethodDecorator {
  return applyDecorators(
    Header('Deprecation', `@${Math.floor(retirement.deprecatedAt.getTime() / 1000)}`),
    Header('Sunset', retirement.sunsetAt.toUTCString()),
    Header('Link', `<${retirement.successorUrl}>; rel="successor-version"`),
  );
}
