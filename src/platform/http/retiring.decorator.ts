import { applyDecorators, Header } from '@nestjs/common';

export interface Retirement {
  /** Since when the route should no longer be used. */
  readonly deprecatedAt: Date;
  /** From when it may be gone: at least 12 months after its successor came (contract, Versioning). */
  readonly sunsetAt: Date;
  /** Where a person reads what to use instead. */
  readonly successorUrl: string;
}

/** Marks a retiring route: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to its successor on every answer that the route gives. */
export function Retiring(retirement: Retirement): MethodDecorator {
  return applyDecorators(
    Header('Deprecation', `@${Math.floor(retirement.deprecatedAt.getTime() / 1000)}`),
    Header('Sunset', retirement.sunsetAt.toUTCString()),
    Header('Link', `<${retirement.successorUrl}>; rel="successor-version"`),
  );
}
