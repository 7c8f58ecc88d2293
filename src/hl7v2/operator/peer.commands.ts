import { optional, required, toFactList, toTextTable, type CliCommand, type CliReport } from '../../identity/index.js';
import { check, given, portOf, settingsOf, type Hl7Run, type Hl7Services } from './command-input.js';
import { NEW_DESTINATION, NEW_LISTENER } from './hl7.schema.js';
import type { DestinationView, ListenerView } from './hl7.views.js';

type Hl7Command = CliCommand<Hl7Services>;

const text = { type: 'string' } as const;
const OWNER = { organizationId: 'org', environment: 'env', name: 'name' } as const;

const listenerCreate: Hl7Command = {
  name: 'hl7 listener create',
  usage: '--org ID --env test|live --name NAME --port P [--host ADDRESS] [--tls-cert FILE --tls-key FILE [--tls-ca FILE --client-cert none|required]] [--settings JSON]',
  summary: 'Take messages of an organization over MLLP. A running gateway listens within 5 s.',
  options: { org: text, env: text, name: text, port: text, host: text, 'tls-cert': text, 'tls-key': text, 'tls-ca': text, 'client-cert': text, settings: text },
  prepare(values): Hl7Run {
    const tls = given(values, { certFile: 'tls-cert', keyFile: 'tls-key', caFile: 'tls-ca', clientCertificate: 'client-cert' });
    const settings = { ...settingsOf(values), port: portOf(values), ...given(values, { host: 'host' }), ...(Object.keys(tls).length === 0 ? {} : { tls }) };
    const wish = check(NEW_LISTENER, { ...ownerOf(values), settings });
    return async ({ hl7 }) => describeListener(await hl7.createListener(wish));
  },
};

const listenerList: Hl7Command = {
  name: 'hl7 listener list',
  usage: '[--org ID]',
  summary: 'List listeners.',
  options: { org: text },
  prepare(values): Hl7Run {
    const organization = optional(values, 'org') ?? null;
    return async ({ hl7 }) => {
      const views = await hl7.listListeners(organization);
      const rows = views.map(({ listenerId, environment, name, settings: { port, host, tls } }) => [listenerId, environment, name, port === null ? 'HTTP' : String(port), host ?? '', tls === null ? 'no' : 'yes']);
      return { json: views, text: toTextTable(['LISTENER', 'ENVIRONMENT', 'NAME', 'PORT', 'HOST', 'TLS'], rows) };
    };
  },
};

const listenerDelete: Hl7Command = {
  name: 'hl7 listener delete',
  usage: '--id ID',
  summary: 'Take no further messages. Those that came stay.',
  options: { id: text },
  prepare(values): Hl7Run {
    const id = required(values, 'id');
    return async ({ hl7 }) => {
      await hl7.deleteListener(id);
      return { json: { listenerId: id, state: 'deleted' }, text: `Listener ${id} is deleted.` };
    };
  },
};

const destinationCreate: Hl7Command = {
  name: 'hl7 destination create',
  usage: '--org ID --env test|live --name NAME --host HOST --port P [--version 2.5.1] [--receiving-app NAME --receiving-facility NAME] [--tls-ca FILE --tls-cert FILE --tls-key FILE] [--settings JSON]',
  summary: 'Send results of an organization as ORU^R01. A running gateway sends within 5 s.',
  options: { org: text, env: text, name: text, host: text, port: text, version: text, 'receiving-app': text, 'receiving-facility': text, 'tls-ca': text, 'tls-cert': text, 'tls-key': text, settings: text },
  prepare(values): Hl7Run {
    const tls = given(values, { caFile: 'tls-ca', certFile: 'tls-cert', keyFile: 'tls-key' });
    const named = given(values, { version: 'version', receivingApplication: 'receiving-app', receivingFacility: 'receiving-facility' });
    const settings = { ...settingsOf(values), ...named, host: required(values, 'host'), port: portOf(values), ...(Object.keys(tls).length === 0 ? {} : { tls }) };
    const wish = check(NEW_DESTINATION, { ...ownerOf(values), settings });
    return async ({ hl7 }) => describeDestination(await hl7.createDestination(wish));
  },
};

const destinationList: Hl7Command = {
  name: 'hl7 destination list',
  usage: '[--org ID]',
  summary: 'List destinations.',
  options: { org: text },
  prepare(values): Hl7Run {
    const organization = optional(values, 'org') ?? null;
    return async ({ hl7 }) => {
      const views = await hl7.listDestinations(organization);
      const rows = views.map(({ destinationId, environment, name, enabled, settings: { host, port, version } }) => [destinationId, environment, name, `${host}:${port}`, version, enabled ? 'on' : 'off']);
      return { json: views, text: toTextTable(['DESTINATION', 'ENVIRONMENT', 'NAME', 'ADDRESS', 'VERSION', 'STATE'], rows) };
    };
  },
};

const destinationDelete: Hl7Command = {
  name: 'hl7 destination delete',
  usage: '--id ID',
  summary: 'Send nothing further. What was not delivered stays.',
  options: { id: text },
  prepare(values): Hl7Run {
    const id = required(values, 'id');
    return async ({ hl7 }) => {
      await hl7.deleteDestination(id);
      return { json: { destinationId: id, state: 'deleted' }, text: `Destination ${id} is deleted.` };
    };
  },
};

/** Listeners and destinations. */
export const PEER_COMMANDS: readonly Hl7Command[] = [listenerCreate, listenerList, listenerDelete, destinationCreate, destinationList, destinationDelete];

function ownerOf(values: Parameters<typeof required>[0]): Record<string, string> {
  for (const option of Object.values(OWNER)) required(values, option);
  return given(values, OWNER);
}

function describeListener(view: ListenerView): CliReport {
  const { listenerId, organizationId, environment, name, settings } = view;
  const facts = { listener: listenerId, organization: organizationId, environment, name, port: settings.port === null ? 'HTTP alone' : String(settings.port), tls: settings.tls === null ? 'no' : 'yes' };
  return { json: view, text: toFactList(facts) };
}

function describeDestination(view: DestinationView): CliReport {
  const { destinationId, organizationId, environment, name, settings } = view;
  const facts = { destination: destinationId, organization: organizationId, environment, name, address: `${settings.host}:${settings.port}`, version: settings.version, tls: settings.tls === null ? 'no' : 'yes' };
  return { json: view, text: toFactList(facts) };
}
