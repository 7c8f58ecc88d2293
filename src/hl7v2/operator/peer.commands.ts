import { commandOn, factReport, given, optional, required, tableReport, TEXT, type CliReport, type CliValues } from '../../identity/index.js';
import { check, portOf, settingsOf, type Hl7Command, type Hl7Services } from './command-input.js';
import { NEW_DESTINATION, NEW_LISTENER } from './hl7.schema.js';
import type { DestinationView, ListenerView } from './hl7.views.js';

const OWNER = { organizationId: 'org', environment: 'env', name: 'name' } as const;

const listenerCreate: Hl7Command = {
  name: 'hl7 listener create',
  usage: '--org ID --env test|live --name NAME --port P [--host ADDRESS] [--tls-cert FILE --tls-key FILE [--tls-ca FILE --client-cert none|required]] [--settings JSON]',
  summary: 'Take messages of an organization over MLLP. A running gateway listens within 5 s.',
  options: { org: TEXT, env: TEXT, name: TEXT, port: TEXT, host: TEXT, 'tls-cert': TEXT, 'tls-key': TEXT, 'tls-ca': TEXT, 'client-cert': TEXT, settings: TEXT },
  prepare(values) {
    const tls = given(values, { certFile: 'tls-cert', keyFile: 'tls-key', caFile: 'tls-ca', clientCertificate: 'client-cert' });
    const settings = { ...settingsOf(values), port: portOf(values), ...given(values, { host: 'host' }), ...(Object.keys(tls).length === 0 ? {} : { tls }) };
    const wish = check(NEW_LISTENER, { ...ownerOf(values), settings });
    return async ({ hl7 }) => describeListener(await hl7.createListener(wish));
  },
};

const listenerList = listOf('hl7 listener list', 'List listeners.', async ({ hl7 }, organizationId) =>
  tableReport(await hl7.listListeners(organizationId), {
    LISTENER: ({ listenerId }) => listenerId,
    ENVIRONMENT: ({ environment }) => environment,
    NAME: ({ name }) => name,
    PORT: ({ settings }) => (settings.port === null ? 'HTTP' : String(settings.port)),
    HOST: ({ settings }) => settings.host,
    TLS: ({ settings }) => (settings.tls === null ? 'no' : 'yes'),
  }),
);

const listenerDelete = commandOn<Hl7Services>({ name: 'hl7 listener delete', summary: 'Take no further messages. Those that came stay.', by: 'id' }, async ({ hl7 }, listenerId) => {
  await hl7.deleteListener(listenerId);
  return { json: { listenerId, state: 'deleted' }, text: `Listener ${listenerId} is deleted.` };
});

const destinationCreate: Hl7Command = {
  name: 'hl7 destination create',
  usage: '--org ID --env test|live --name NAME --host HOST --port P [--version 2.5.1] [--receiving-app NAME --receiving-facility NAME] [--tls-ca FILE --tls-cert FILE --tls-key FILE] [--settings JSON]',
  summary: 'Send results of an organization as ORU^R01. A running gateway sends within 5 s.',
  options: { org: TEXT, env: TEXT, name: TEXT, host: TEXT, port: TEXT, version: TEXT, 'receiving-app': TEXT, 'receiving-facility': TEXT, 'tls-ca': TEXT, 'tls-cert': TEXT, 'tls-key': TEXT, settings: TEXT },
  prepare(values) {
    const tls = given(values, { caFile: 'tls-ca', certFile: 'tls-cert', keyFile: 'tls-key' });
    const named = given(values, { version: 'version', receivingApplication: 'receiving-app', receivingFacility: 'receiving-facility' });
    const settings = { ...settingsOf(values), ...named, host: required(values, 'host'), port: portOf(values), ...(Object.keys(tls).length === 0 ? {} : { tls }) };
    const wish = check(NEW_DESTINATION, { ...ownerOf(values), settings });
    return async ({ hl7 }) => describeDestination(await hl7.createDestination(wish));
  },
};

const destinationList = listOf('hl7 destination list', 'List destinations.', async ({ hl7 }, organizationId) =>
  tableReport(await hl7.listDestinations(organizationId), {
    DESTINATION: ({ destinationId }) => destinationId,
    ENVIRONMENT: ({ environment }) => environment,
    NAME: ({ name }) => name,
    ADDRESS: ({ settings }) => `${settings.host}:${settings.port}`,
    VERSION: ({ settings }) => settings.version,
    STATE: ({ enabled }) => (enabled ? 'on' : 'off'),
  }),
);

const destinationDelete = commandOn<Hl7Services>({ name: 'hl7 destination delete', summary: 'Send nothing further. What was not delivered stays.', by: 'id' }, async ({ hl7 }, destinationId) => {
  await hl7.deleteDestination(destinationId);
  return { json: { destinationId, state: 'deleted' }, text: `Destination ${destinationId} is deleted.` };
});

/** Listeners and destinations. */
export const PEER_COMMANDS: readonly Hl7Command[] = [listenerCreate, listenerList, listenerDelete, destinationCreate, destinationList, destinationDelete];

/** Of one organization, or of all. */
function listOf(name: string, summary: string, list: (services: Hl7Services, organizationId: string | null) => Promise<CliReport>): Hl7Command {
  return {
    name,
    usage: '[--org ID]',
    summary,
    options: { org: TEXT },
    prepare(values) {
      const organizationId = optional(values, 'org') ?? null;
      return (services) => list(services, organizationId);
    },
  };
}

function ownerOf(values: CliValues): Record<string, string> {
  for (const option of Object.values(OWNER)) required(values, option);
  return given(values, OWNER);
}

function describeListener(view: ListenerView): CliReport {
  const { listenerId, organizationId, environment, name, settings } = view;
  return factReport(view, { listener: listenerId, organization: organizationId, environment, name, port: settings.port === null ? 'HTTP alone' : String(settings.port), tls: settings.tls === null ? 'no' : 'yes' });
}

function describeDestination(view: DestinationView): CliReport {
  const { destinationId, organizationId, environment, name, settings } = view;
  return factReport(view, { destination: destinationId, organization: organizationId, environment, name, address: `${settings.host}:${settings.port}`, version: settings.version, tls: settings.tls === null ? 'no' : 'yes' });
}
