import { CliMisuse, type CliReport } from '../../../../platform/cli/cli-command.js';
import { commandOn, given, optional, required } from '../../../../platform/cli/command-options.js';
import { factReport, tableReport, toFactList } from '../../../../platform/cli/command-report.js';
import type { LineReport } from '../../../../standards/hl7v2/mllp/probe-line.js';
import {
  changeOf,
  check,
  portOf,
  settingsOf,
  type Hl7Command,
  type Hl7Services,
  listOf,
  ownerOf,
} from './command-input.js';
import { DESTINATION_CHANGE, NEW_DESTINATION, queueChoiceOf, REMOVAL_QUERY } from '../operations/hl7.schema.js';
import type { DestinationView } from '../operations/hl7.views.js';

const NAMED = {
  version: 'version',
  receivingApplication: 'receiving-app',
  receivingFacility: 'receiving-facility',
  ordering: 'ordering',
} as const;
const TLS = { caFile: 'tls-ca', certFile: 'tls-cert', keyFile: 'tls-key' } as const;
const SETTINGS_USAGE =
  '[--version 2.5.1] [--receiving-app NAME --receiving-facility NAME] [--ordering perPatient|strict] [--tls-ca FILE --tls-cert FILE --tls-key FILE] [--settings JSON]';

const create: Hl7Command = {
  usage: `hl7 destination create --org ID --env test|live --name NAME --host HOST --port P ${SETTINGS_USAGE}`,
  summary: 'Send results of an organization as ORU^R01. A running gateway sends within 5 s.',
  prepare(values) {
    const tls = given(values, TLS);
    const settings = {
      ...settingsOf(values),
      ...given(values, NAMED),
      host: required(values, 'host'),
      port: portOf(values),
      ...(Object.keys(tls).length === 0 ? {} : { tls }),
    };
    const input = check(NEW_DESTINATION, { ...ownerOf(values), settings });
    return async ({ peers }) => describe(await peers.createDestination(input));
  },
};

const list = listOf('hl7 destination list', 'List destinations.', async ({ peers }, organizationId) =>
  tableReport(await peers.listDestinations(organizationId), {
    DESTINATION: ({ destinationId }) => destinationId,
    ENVIRONMENT: ({ environment }) => environment,
    NAME: ({ name }) => name,
    ADDRESS: ({ settings }) => `${settings.host}:${settings.port}`,
    VERSION: ({ settings }) => settings.version,
    STATE: ({ enabled }) => (enabled ? 'on' : 'paused'),
  }),
);

const show = commandOn<Hl7Services>(
  { name: 'hl7 destination show', summary: 'One destination with all its settings.', by: 'id' },
  async ({ peers }, id) => describe(await peers.destination(id)),
);

const set: Hl7Command = {
  usage: `hl7 destination set --id ID [--name NAME] [--host HOST] [--port P] ${SETTINGS_USAGE}`,
  summary:
    'Change a destination; what is not named stays. In --settings null brings a setting back to its default. What waits goes where it points now.',
  prepare(values) {
    const id = required(values, 'id');
    const change = check(
      DESTINATION_CHANGE,
      changeOf(values, given(values, { ...NAMED, host: 'host' }), given(values, TLS)),
    );
    return async ({ peers }) => describe(await peers.changeDestination(id, change));
  },
};

/** A command that only pauses or resumes. */
function switched(verb: 'pause' | 'resume', summary: string): Hl7Command {
  return commandOn<Hl7Services>({ name: `hl7 destination ${verb}`, summary, by: 'id' }, async ({ peers }, id) =>
    describe(await peers.changeDestination(id, { enabled: verb === 'resume' })),
  );
}

const test = commandOn<Hl7Services>(
  {
    name: 'hl7 destination test',
    summary: 'Connect to a destination from this machine and hang up; nothing is sent.',
    by: 'id',
  },
  async ({ peers }, id) => describeLine(await peers.testDestination(id)),
);

const remove: Hl7Command = {
  usage: 'hl7 destination delete --id ID [--queue park|discard|move [--to ID]]',
  summary:
    'Send nothing further. Where messages wait or are parked, --queue says what becomes of them; --to is the destination that they are moved to.',
  prepare(values) {
    const destinationId = required(values, 'id');
    if (optional(values, 'to') !== undefined && optional(values, 'queue') !== 'move')
      throw new CliMisuse('--to belongs to --queue move.');
    if (optional(values, 'queue') === 'move') required(values, 'to');
    const choice = queueChoiceOf(check(REMOVAL_QUERY, given(values, { queue: 'queue', to: 'to' })));
    return async ({ peers }) => {
      const { parked, discarded, moved } = await peers.deleteDestination(destinationId, choice);
      const queue = `${parked} messages are parked, ${discarded} discarded, ${moved} moved.`;
      return {
        json: { destinationId, state: 'deleted', parked, discarded, moved },
        text: `Destination ${destinationId} is deleted. ${queue}`,
      };
    };
  },
};

export const DESTINATION_COMMANDS: readonly Hl7Command[] = [
  create,
  list,
  show,
  set,
  switched('pause', 'Send nothing until it is resumed; messages are made and wait.'),
  switched('resume', 'Send again.'),
  test,
  remove,
];

function describe(view: DestinationView): CliReport {
  const { destinationId, organizationId, environment, name, enabled, takes, settings } = view;
  return factReport(view, {
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
  });
}

function describeLine(report: LineReport): CliReport {
  const { reached, fault, certificate } = report;
  const facts = {
    connected: reached ? 'yes' : 'no',
    ...(fault === null ? {} : { fault }),
    ...(certificate === null
      ? {}
      : {
          certificate: certificate.names.join(', '),
          expires: `${certificate.expiresAt} (${certificate.expiresInDays} days)`,
        }),
  };
  return { json: report, text: toFactList(facts), failed: !reached };
}
