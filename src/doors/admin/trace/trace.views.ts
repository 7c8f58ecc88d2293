import { z } from 'zod';
import { TRACED_AS, type Trace, type TraceEvent } from '../../../core/trace/trace.js';
import type { Names } from '../../../core/organizations/name-directory.js';
import { id, list, moment, owner } from '../action/answer-fields.js';

const fact = z.union([z.string().describe('A code, an id or a name.'), z.number().describe('A count or a size.')]);
const traceEvent = z.object({
  at: moment,
  what: z.string(),
  resources: list(z.string()),
  facts: z.record(z.string(), fact).readonly(),
  next: z.string().nullable().describe('The next step for a person; null: none is needed.'),
});
export type TraceEventView = z.output<typeof traceEvent>;

const events = list(traceEvent).describe('Oldest first.');

export const TRACE_VIEW = z.object({
  id: z.string(),
  takenFor: list(z.enum(TRACED_AS)).describe('The kinds of id that it was found as.'),
  photos: list(z.object({ ...owner, events, imageId: id })).describe('Newest first.'),
  apart: list(z.object({ ...owner, events })).describe('Events that led to no photo, such as a refused message.'),
  hasMore: z.boolean().describe('The id leads to more photos than are shown.'),
  names: z
    .record(z.string(), z.string())
    .readonly()
    .describe(
      'What people call the organizations, listeners, destinations, endpoints and keys whose ids are in it, by id.',
    ),
});
export type TraceView = z.output<typeof TRACE_VIEW>;

/** Every id in the answer that a name may belong to. */
export function idsIn({ photos, apart }: Trace): string[] {
  return [...photos, ...apart].flatMap(({ tenant, events: found }) => [
    tenant.organizationId,
    ...found.flatMap(({ facts, resources }) => [
      ...Object.values(facts).map(String),
      ...resources.flatMap((resource) => resource.split('/')[1] ?? []),
    ]),
  ]);
}

export function toTraceView(asked: string, { takenFor, photos, apart, hasMore }: Trace, names: Names): TraceView {
  return {
    id: asked,
    takenFor,
    photos: photos.map(({ tenant, imageId, events: found }) => ({
      imageId,
      ...tenant,
      events: found.map(toEventView),
    })),
    apart: apart.map(({ tenant, events: found }) => ({ ...tenant, events: found.map(toEventView) })),
    hasMore,
    names: names.within([...photos, ...apart].map(({ tenant }) => tenant.organizationId)),
  };
}

function toEventView({ at, what, resources, facts, next }: TraceEvent): TraceEventView {
  return { at: at.toISOString(), what, resources, facts, next: next ?? null };
}
