import type { Trace, TracedAs, TraceEvent } from '../../../core/trace/trace.js';
import type { Environment } from '../../../core/tenancy/tenant.js';

/** The answers of the admin API and of the command line's --json. Instants are RFC 3339 in UTC. */
export interface TraceEventView {
  readonly at: string;
  readonly what: string;
  readonly resources: readonly string[];
  readonly facts: Readonly<Record<string, string | number>>;
  /** The next step for a person; null if none is needed. */
  readonly next: string | null;
}

interface OwnedEvents {
  readonly organizationId: string;
  readonly environment: Environment;
  /** Oldest first. */
  readonly events: readonly TraceEventView[];
}

export interface TraceView {
  readonly id: string;
  /** The kinds of id that it was found as. */
  readonly takenFor: readonly TracedAs[];
  /** Newest first. */
  readonly photos: readonly (OwnedEvents & { readonly imageId: string })[];
  /** Events that led to no photo, such as a refused message. */
  readonly apart: readonly OwnedEvents[];
  /** True if the id leads to more photos than are shown. */
  readonly hasMore: boolean;
}

export function toTraceView(id: string, { takenFor, photos, apart, hasMore }: Trace): TraceView {
  return {
    id,
    takenFor,
    photos: photos.map(({ tenant, imageId, events }) => ({ imageId, ...tenant, events: events.map(toEventView) })),
    apart: apart.map(({ tenant, events }) => ({ ...tenant, events: events.map(toEventView) })),
    hasMore,
  };
}

function toEventView({ at, what, resources, facts, next }: TraceEvent): TraceEventView {
  return { at: at.toISOString(), what, resources, facts, next: next ?? null };
}
