import { z } from 'zod';
import { requireMayNameFiles } from '../../../../core/organizations/given-rights.js';
import { DestinationRegister } from '../../../../exits/mllp/destinations/destination-register.js';
import { DestinationRemoval } from '../../../../exits/mllp/destinations/destination-removal.js';
import { readdress } from '../../../../exits/mllp/oru/readdress.js';
import { DestinationTest } from '../../../../exits/mllp/sender/destination-test.js';
import { IN_BODY, IN_QUERY } from '../../../../identity/index.js';
import { CliMisuse, type CliReport } from '../../../../platform/cli/cli-command.js';
import { given, optional, required } from '../../../../platform/cli/command-options.js';
import { factReport } from '../../../../platform/cli/command-report.js';
import type { LineReport } from '../../../../standards/hl7v2/mllp/probe-line.js';
import { ListenerRepository } from '../../../hl7v2/inbox/listeners/listener.repository.js';
import { onThing } from '../../action/acts.js';
import { adminGroup } from '../../action/admin-group.js';
import { list as listOf, moment } from '../../action/answer-fields.js';
import {
  DESTINATION_CHANGE,
  NEW_DESTINATION,
  OF_ORGANIZATION,
  queueChoiceOf,
  REMOVAL_QUERY,
} from '../operations/hl7.schema.js';
import { DESTINATION_VIEW, toDestinationView, type DestinationView } from '../operations/hl7.views.js';
import { HL7_EXAMPLES } from './hl7-admin.examples.js';
import { interactionOf, newPeerOf, peerChangeOf } from './peer-options.js';
import { filesNamedIn } from './tls-files.js';

const OPTIONS = {
  named: {
    version: 'version',
    receivingApplication: 'receiving-app',
    receivingFacility: 'receiving-facility',
    ordering: 'ordering',
    host: 'host',
  },
  tls: { caFile: 'tls-ca', certFile: 'tls-cert', keyFile: 'tls-key' },
};
const SETTINGS_USAGE =
  '[--version 2.5.1] [--receiving-app NAME --receiving-facility NAME] [--ordering perPatient|strict] [--tls-ca FILE --tls-cert FILE --tls-key FILE] [--settings JSON]';

const { action, group } = adminGroup({
  destinations: DestinationRegister,
  removal: DestinationRemoval,
  trial: DestinationTest,
  listeners: ListenerRepository,
});

const create = action({
  name: 'createHl7Destination',
  route: 'POST /hl7/destinations',
  does: 'Send an organization’s results as ORU^R01',
  who: { role: 'integrator', of: IN_BODY },
  body: NEW_DESTINATION,
  example: HL7_EXAMPLES.newDestination,
  status: 201,
  answers: DESTINATION_VIEW,
  shows: HL7_EXAMPLES.destination,
  refusals: ['organization.not_found', 'hl7.name_taken'],
  async run({ destinations, listeners, operator }, { name, settings, ...tenant }) {
    await requireMayNameFiles(operator.rights, filesNamedIn(settings));
    await listeners.requireOrganization(tenant.organizationId);
    return toDestinationView(await destinations.create(tenant, name, settings));
  },
  trail: { after: (view) => onThing('Endpoint', view, 'create', 'C') },
  command: {
    usage: `hl7 destination create --org ID --env test|live --name NAME --host HOST --port P ${SETTINGS_USAGE}`,
    says: 'Send results of an organization as ORU^R01. A running gateway sends within 5 s.',
    takes: (values) => newPeerOf(values, OPTIONS),
    facts: factsOf,
  },
});

const list = action({
  name: 'listHl7Destinations',
  route: 'GET /hl7/destinations',
  does: 'List destinations',
  who: { role: 'viewer', of: IN_QUERY },
  query: OF_ORGANIZATION,
  lists: DESTINATION_VIEW,
  shows: HL7_EXAMPLES.destination,
  async run({ destinations }, { organizationId }) {
    const all = await destinations.all();
    return all
      .filter((one) => organizationId === undefined || one.organizationId === organizationId)
      .map(toDestinationView);
  },
  trail: 'none',
  command: {
    usage: 'hl7 destination list [--org ID]',
    table: {
      DESTINATION: ({ destinationId }) => destinationId,
      ENVIRONMENT: ({ environment }) => environment,
      NAME: ({ name }) => name,
      ADDRESS: ({ settings }) => `${settings.host}:${settings.port}`,
      VERSION: ({ settings }) => settings.version,
      STATE: ({ enabled }) => (enabled ? 'on' : 'paused'),
    },
  },
});

const show = action({
  name: 'readHl7Destination',
  route: 'GET /hl7/destinations/:destinationId',
  does: 'One destination with its settings',
  who: 'viewer',
  answers: DESTINATION_VIEW,
  shows: HL7_EXAMPLES.destination,
  refusals: ['hl7.destination_not_found'],
  run: async ({ destinations }, { destinationId }) => toDestinationView(await destinations.find(destinationId)),
  trail: 'none',
  command: {
    usage: 'hl7 destination show --id ID',
    says: 'One destination with all its settings.',
    facts: factsOf,
  },
});

const change = action({
  name: 'changeHl7Destination',
  route: 'PATCH /hl7/destinations/:destinationId',
  does: 'Change, pause or resume a destination; what waits goes where it points now',
  who: 'integrator',
  body: DESTINATION_CHANGE,
  example: HL7_EXAMPLES.destinationChange,
  answers: DESTINATION_VIEW,
  shows: HL7_EXAMPLES.destination,
  refusals: ['hl7.destination_not_found', 'hl7.name_taken'],
  async run({ destinations, operator }, { destinationId, ...input }) {
    await requireMayNameFiles(operator.rights, filesNamedIn(input.settings), async () =>
      filesNamedIn((await destinations.find(destinationId)).settings),
    );
    return toDestinationView(await destinations.change(destinationId, input));
  },
  trail: {
    before: async ({ destinations }, { destinationId, ...input }) =>
      onThing('Endpoint', await destinations.find(destinationId), interactionOf(input), 'U'),
  },
  command: {
    usage: `hl7 destination set --id ID [--name NAME] [--host HOST] [--port P] ${SETTINGS_USAGE}`,
    says: 'Change a destination; what is not named stays. In --settings null brings a setting back to its default. What waits goes where it points now.',
    takes: (values) => peerChangeOf(values, OPTIONS),
    facts: factsOf,
  },
  also: [
    {
      usage: 'hl7 destination pause --id ID',
      says: 'Send nothing until it is resumed; messages are made and wait.',
      takes: () => ({ enabled: false }),
      facts: factsOf,
    },
    {
      usage: 'hl7 destination resume --id ID',
      says: 'Send again.',
      takes: () => ({ enabled: true }),
      facts: factsOf,
    },
  ],
});

const certificate = z.object({ names: listOf(z.string()), expiresAt: moment, expiresInDays: z.int() });

const test = action({
  name: 'testHl7Destination',
  route: 'POST /hl7/destinations/:destinationId/test',
  does: 'Connect to a destination and hang up; nothing is sent',
  who: 'integrator',
  answers: z.object({ reached: z.boolean(), fault: z.string().nullable(), certificate: certificate.nullable() }),
  shows: HL7_EXAMPLES.line,
  refusals: ['hl7.destination_not_found'],
  run: async ({ destinations, trial }, { destinationId }) => trial.run(await destinations.find(destinationId)),
  trail: {
    before: async ({ destinations }, { destinationId }) =>
      onThing('Endpoint', await destinations.find(destinationId), '$test', 'E'),
  },
  command: {
    usage: 'hl7 destination test --id ID',
    says: 'Connect to a destination from this machine and hang up; nothing is sent.',
    prints: describeLine,
  },
});

const remove = action({
  name: 'deleteHl7Destination',
  route: 'DELETE /hl7/destinations/:destinationId',
  does: 'Send nothing further; what waits is parked, discarded or moved',
  who: 'integrator',
  query: REMOVAL_QUERY,
  answers: z.object({ parked: z.int(), discarded: z.int(), moved: z.int() }),
  shows: HL7_EXAMPLES.removed,
  refusals: ['hl7.destination_not_found', 'hl7.queue_not_empty'],
  run: ({ removal }, { destinationId, ...query }) => removal.remove(destinationId, queueChoiceOf(query), readdress),
  trail: {
    before: async ({ destinations }, { destinationId }) =>
      onThing('Endpoint', await destinations.find(destinationId), 'delete', 'D'),
  },
  command: {
    usage: 'hl7 destination delete --id ID [--queue park|discard|move [--to ID]]',
    says: 'Send nothing further. Where messages wait or are parked, --queue says what becomes of them; --to is the destination that they are moved to.',
    takes(values) {
      const queue = optional(values, 'queue');
      if (optional(values, 'to') !== undefined && queue !== 'move')
        throw new CliMisuse('--to belongs to --queue move.');
      if (queue === 'move') required(values, 'to');
      return given(values, { queue: 'queue', to: 'to' });
    },
    prints: ({ parked, discarded, moved }, { destinationId }) => ({
      json: { destinationId, state: 'deleted', parked, discarded, moved },
      text: `Destination ${destinationId} is deleted. ${parked} messages are parked, ${discarded} discarded, ${moved} moved.`,
    }),
  },
});

/** Where results are sent over MLLP. */
export const DESTINATION_ACTIONS = group('Hl7DestinationsController', [create, list, show, change, test, remove]);

function factsOf(view: DestinationView): Record<string, string> {
  const { destinationId, organizationId, environment, name, enabled, takes, settings } = view;
  return {
    destination: destinationId,
    organization: organizationId,
    environment,
    name,
    state: enabled ? 'on' : 'paused',
    address: `${settings.host}:${settings.port}`,
    takes,
    version: settings.version,
    tls: settings.tls === null ? 'no' : 'yes',
    settings: JSON.stringify(settings),
  };
}

function describeLine(report: LineReport): CliReport {
  const { reached, fault, certificate: shown } = report;
  const facts = {
    connected: reached ? 'yes' : 'no',
    ...(fault === null ? {} : { fault }),
    ...(shown === null
      ? {}
      : { certificate: shown.names.join(', '), expires: `${shown.expiresAt} (${shown.expiresInDays} days)` }),
  };
  return { ...factReport(report, facts), failed: !reached };
}
