import type { Operator } from '../../../core/tenancy/operator.js';
import { CliMisuse, type CliCommand, type CliReport, type CommandGroup } from '../../../platform/cli/cli-command.js';
import { toFactList, toTextTable } from '../../../platform/cli/command-report.js';
import { TraceOperations } from './trace-operations.js';
import type { TraceEventView, TraceView } from './trace.views.js';

interface TraceServices {
  readonly operator: Operator;
  readonly traces: TraceOperations;
}

const trace: CliCommand<TraceServices> = {
  name: 'trace',
  usage: 'ID',
  summary:
    'What happened to one photo, through every door, and what to do where it stands still. ID: of an image, job, report, wound, delivery or FHIR resource, an HL7 message, its control id or order number, a number of a patient, or a request id.',
  options: {},
  positionals: ['id'],
  prepare(values) {
    const id = values['id'];
    if (typeof id !== 'string' || id.trim() === '') throw new CliMisuse('ID is missing.');
    return async ({ operator, traces }) => describeTrace(await traces.trace(operator, id));
  },
};

export const TRACE_COMMANDS: CommandGroup<TraceServices> = {
  providers: [TraceOperations],
  services: (app, operator) => ({ operator, traces: app.get(TraceOperations) }),
  commands: [trace],
};

function describeTrace(view: TraceView): CliReport {
  const parts = [
    `${view.id} was taken for: ${view.takenFor.map((word) => word.replaceAll('_', ' ')).join(', ')}.`,
    ...view.photos.flatMap(({ imageId, organizationId, environment, events }) => [
      toFactList({ photo: imageId, organization: `${organizationId} ${environment}` }),
      eventTable(events),
      nextSteps(events),
    ]),
    ...view.apart.flatMap(({ organizationId, environment, events }) => [
      toFactList({ photo: 'none', organization: `${organizationId} ${environment}` }),
      eventTable(events),
      nextSteps(events),
    ]),
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
