import type { Trace, TraceEvent } from '../../core/trace/trace.js';

/** What the admin API and the command line's --json show; both show the same. Instants are RFC 3339 in UTC. */
export interface TraceEventView {
  readonly at: string;
  readonly what: string;
  readonly resources: readonly string[];
  readonly facts: Readonly<Record<string, string | number>>;
  /** What a person does about it; null: nothing waits for a person. */
  readonly next: string | null;
}

interface OwnedEvents {
  readonly organizationId: string;
  readonly environment: string;
  /** Oldest first. */
  readonly events: readonly TraceEventView[];
}

export interface TraceView {
  readonly id: string;
  /** What the id was taken for. */
  readonly takenFor: readonly string[];
  /** Newest first. */
  readonly photos: readonly (OwnedEvents & { readonly imageId: string })[];
  /** Of what led to no photo, such as a refused message. */
  readonly apart: readonly OwnedEvents[];
  /** It leads to more photos than are told at once. */
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
