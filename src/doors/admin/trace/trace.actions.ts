import { z } from 'zod';
import type { OperatorAct } from '../../../core/audit/operator-trail.js';
import { NameDirectory } from '../../../core/organizations/name-directory.js';
import { PhotoTracer } from '../../../core/trace/photo-tracer.js';
import type { Trace, TraceScope } from '../../../core/trace/trace.js';
import { IN_QUERY } from '../../../identity/index.js';
import { CliMisuse, type CliReport } from '../../../platform/cli/cli-command.js';
import { toFactList, toTextTable } from '../../../platform/cli/command-report.js';
import { adminGroup } from '../action/admin-group.js';
import { TRACE_EXAMPLES } from './trace.examples.js';
import { idsIn, toTraceView, TRACE_VIEW, type TraceEventView, type TraceView } from './trace.views.js';

const KINDS =
  'an image, job, report, wound, delivery or FHIR resource, an HL7 message, its control id or order number, a number of a patient, or a request id';

const { action, group } = adminGroup({ tracer: PhotoTracer, names: NameDirectory });

const trace = action({
  name: 'tracePhoto',
  route: 'GET /trace',
  does: 'What happened to one photo, through every door, and what to do where it stands still; written into the audit trail',
  who: { role: 'viewer', of: IN_QUERY },
  query: z.strictObject({
    id: z.string().trim().min(1).max(200).describe(`Of ${KINDS}`),
    organizationId: z
      .uuid()
      .optional()
      .describe('Of this organization only; who is no installation admin names one of their own'),
  }),
  answers: TRACE_VIEW,
  shows: TRACE_EXAMPLES.trace,
  refusals: ['trace.not_found'],
  async run({ tracer, names, operator, trail }, { id, ...scope }) {
    const found = await tracer.trace(id, scope);
    for (const act of actsOf(found, scope)) await trail.record(operator, act);
    return toTraceView(id, found, await names.namesOf(idsIn(found)));
  },
  trail: 'by itself',
  command: {
    usage: 'trace ID',
    says: `What happened to one photo, through every door, and what to do where it stands still. ID: of ${KINDS}.`,
    takes({ id }) {
      if (typeof id !== 'string' || id.trim() === '') throw new CliMisuse('ID is missing.');
      return { id };
    },
    prints: describe,
  },
});

/** What became of a photo. */
export const TRACE_ACTIONS = group('TraceController', [trace]);

/**
 * One act for each tenant whose photos or messages were looked at. The id as typed is not kept: it may be an order
 * number.
 */
function actsOf({ takenFor, photos, apart }: Trace, { organizationId }: TraceScope): OperatorAct[] {
  const looked = { interaction: '$trace', action: 'R', query: `as=${takenFor.join(',')}` } as const;
  const acts = new Map<string, OperatorAct>();
  const looks = [
    ...photos.map(({ tenant, patientId, imageId }) => ({ tenant, patientId, resources: [`Media/${imageId}`] })),
    ...apart.map(({ tenant, patientId, events }) => ({
      tenant,
      patientId,
      resources: events.flatMap(({ resources }) => resources.slice(0, 1)),
    })),
  ];
  for (const { tenant, patientId, resources } of looks) {
    const key = `${tenant.organizationId} ${tenant.environment}`;
    const { resources: before = [], patients = [] } = acts.get(key) ?? {};
    acts.set(key, {
      ...looked,
      of: tenant,
      patients: [...new Set([...patients, ...(patientId === null ? [] : [patientId])])],
      resources: [...new Set([...before, ...resources])],
    });
  }
  return acts.size > 0 ? [...acts.values()] : [{ ...looked, of: { organizationId }, resources: [] }];
}

function describe(view: TraceView): CliReport {
  const told = (photo: string, { organizationId, environment, events }: TraceView['apart'][number]): string[] => [
    toFactList({
      photo,
      organization: [view.names[organizationId], organizationId, environment]
        .filter((part) => part !== undefined)
        .join(' '),
    }),
    eventTable(events),
    nextSteps(events),
  ];
  const parts = [
    `${view.id} was taken for: ${view.takenFor.map((word) => word.replaceAll('_', ' ')).join(', ')}.`,
    ...view.photos.flatMap((photo) => told(photo.imageId, photo)),
    ...view.apart.flatMap((found) => told('none', found)),
    ...(view.photos.length === 0 && view.apart.length === 0 ? ['No photo belongs to it.'] : []),
    ...(view.hasMore ? ['There are more photos: ask by the id of one of them.'] : []),
  ];
  return { json: view, text: parts.join('\n\n') };
}

function eventTable(events: readonly TraceEventView[]): string {
  return toTextTable(
    ['WHEN', 'WHAT', 'OF', 'DETAILS'],
    events.map(({ at, what, resources, facts }) => [
      at,
      what,
      namesOf(resources),
      Object.entries(facts)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
    ]),
  );
}

/** The first name and the count of the others; --json names all. */
function namesOf([first = '', ...rest]: readonly string[]): string {
  return rest.length === 0 ? first : `${first} +${rest.length}`;
}

function nextSteps(events: readonly TraceEventView[]): string {
  const steps = [...new Set(events.flatMap(({ next }) => next ?? []))];
  return steps.length === 0
    ? 'Nothing waits for a person.'
    : ['What to do next:', ...steps.map((step) => `- ${step}`)].join('\n');
}
