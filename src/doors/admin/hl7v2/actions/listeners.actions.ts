import { requireMayNameFiles } from '../../../../core/organizations/given-rights.js';
import { IN_BODY, IN_QUERY } from '../../../../identity/index.js';
import { ListenerRepository } from '../../../hl7v2/inbox/listeners/listener.repository.js';
import { ServedListeners } from '../../../hl7v2/inbox/listeners/served-listeners.js';
import { onThing } from '../../action/acts.js';
import { adminGroup } from '../../action/admin-group.js';
import { LISTENER_CHANGE, NEW_LISTENER, OF_ORGANIZATION } from '../operations/hl7.schema.js';
import { LISTENER_VIEW, toListenerView, type ListenerView } from '../operations/hl7.views.js';
import { HL7_EXAMPLES } from './hl7-admin.examples.js';
import { interactionOf, newPeerOf, peerChangeOf } from './peer-options.js';
import { filesNamedIn } from './tls-files.js';

const OPTIONS = {
  named: { host: 'host' },
  tls: { certFile: 'tls-cert', keyFile: 'tls-key', caFile: 'tls-ca', clientCertificate: 'client-cert' },
};
const SETTINGS_USAGE =
  '[--host ADDRESS] [--tls-cert FILE --tls-key FILE [--tls-ca FILE --client-cert none|required]] [--settings JSON]';

const { action, group } = adminGroup({ listeners: ListenerRepository, served: ServedListeners });

const create = action({
  name: 'createHl7Listener',
  route: 'POST /hl7/listeners',
  does: 'Take an organization’s messages over MLLP; served within 5 seconds',
  who: { role: 'integrator', of: IN_BODY },
  body: NEW_LISTENER,
  example: HL7_EXAMPLES.newListener,
  status: 201,
  answers: LISTENER_VIEW,
  shows: HL7_EXAMPLES.listener,
  refusals: ['organization.not_found', 'hl7.name_taken', 'hl7.port_taken'],
  async run({ listeners, served, operator }, { name, settings, ...tenant }) {
    await requireMayNameFiles(operator.rights, filesNamedIn(settings));
    const made = await listeners.create(tenant, name, settings);
    return toListenerView(made, (await served.standings()).get(made.id));
  },
  trail: { after: (view) => onThing('Endpoint', view, 'create', 'C') },
  command: {
    usage: `hl7 listener create --org ID --env test|live --name NAME --port P ${SETTINGS_USAGE}`,
    says: 'Take messages of an organization over MLLP. A running gateway listens within 5 s.',
    takes: (values) => newPeerOf(values, OPTIONS),
    facts: factsOf,
  },
});

const list = action({
  name: 'listHl7Listeners',
  route: 'GET /hl7/listeners',
  does: 'List listeners',
  who: { role: 'viewer', of: IN_QUERY },
  query: OF_ORGANIZATION,
  lists: LISTENER_VIEW,
  shows: HL7_EXAMPLES.listener,
  async run({ listeners, served }, { organizationId = null }) {
    const standings = await served.standings();
    return (await listeners.list(organizationId)).map((one) => toListenerView(one, standings.get(one.id)));
  },
  trail: 'none',
  command: {
    usage: 'hl7 listener list [--org ID]',
    table: {
      LISTENER: ({ listenerId }) => listenerId,
      ENVIRONMENT: ({ environment }) => environment,
      NAME: ({ name }) => name,
      PORT: ({ settings }) => (settings.port === null ? 'HTTP' : String(settings.port)),
      HOST: ({ settings }) => settings.host,
      TLS: ({ settings }) => (settings.tls === null ? 'no' : 'yes'),
      STATE: ({ enabled }) => (enabled ? 'on' : 'paused'),
      SERVED: servedInWords,
      'CERT DAYS': ({ certificateDays }) => (certificateDays === null ? null : String(certificateDays)),
    },
  },
});

const show = action({
  name: 'readHl7Listener',
  route: 'GET /hl7/listeners/:listenerId',
  does: 'One listener with its settings',
  who: 'viewer',
  answers: LISTENER_VIEW,
  shows: HL7_EXAMPLES.listener,
  refusals: ['hl7.listener_not_found'],
  run: async ({ listeners, served }, { listenerId }) =>
    toListenerView(await listeners.standing(listenerId), (await served.standings()).get(listenerId)),
  trail: 'none',
  command: {
    usage: 'hl7 listener show --id ID',
    says: 'One listener with all its settings.',
    facts: factsOf,
  },
});

const change = action({
  name: 'changeHl7Listener',
  route: 'PATCH /hl7/listeners/:listenerId',
  does: 'Change, pause or resume a listener; followed within 5 seconds',
  who: 'integrator',
  body: LISTENER_CHANGE,
  example: HL7_EXAMPLES.listenerChange,
  answers: LISTENER_VIEW,
  shows: HL7_EXAMPLES.listener,
  refusals: ['hl7.listener_not_found', 'hl7.name_taken', 'hl7.port_taken'],
  async run({ listeners, served, operator }, { listenerId, ...input }) {
    await requireMayNameFiles(operator.rights, filesNamedIn(input.settings), async () =>
      filesNamedIn((await listeners.standing(listenerId)).settings),
    );
    const changed = await listeners.change(listenerId, input);
    return toListenerView(changed, (await served.standings()).get(listenerId));
  },
  trail: { after: (view, input) => onThing('Endpoint', view, interactionOf(input), 'U') },
  command: {
    usage: `hl7 listener set --id ID [--name NAME] [--port P] ${SETTINGS_USAGE}`,
    says: 'Change a listener; what is not named stays. In --settings null brings a setting back to its default. Followed within 5 s.',
    takes: (values) => peerChangeOf(values, OPTIONS),
    facts: factsOf,
  },
  also: [
    {
      usage: 'hl7 listener pause --id ID',
      says: 'Close the port until it is resumed. What came is still processed, and POST /hl7v2 is still read as the listener says.',
      takes: () => ({ enabled: false }),
      facts: factsOf,
    },
    {
      usage: 'hl7 listener resume --id ID',
      says: 'Listen again.',
      takes: () => ({ enabled: true }),
      facts: factsOf,
    },
  ],
});

const remove = action({
  name: 'deleteHl7Listener',
  route: 'DELETE /hl7/listeners/:listenerId',
  does: 'Take no further messages; closed within 5 seconds',
  who: 'integrator',
  refusals: ['hl7.listener_not_found'],
  run: ({ listeners }, { listenerId }) => listeners.delete(listenerId),
  trail: {
    before: async ({ listeners }, { listenerId }) =>
      onThing('Endpoint', await listeners.standing(listenerId), 'delete', 'D'),
  },
  command: {
    usage: 'hl7 listener delete --id ID',
    says: 'Take no further messages. Those that came stay.',
    prints: (_, { listenerId }) => ({
      json: { listenerId, state: 'deleted' },
      text: `Listener ${listenerId} is deleted.`,
    }),
  },
});

/** MLLP listeners. */
export const LISTENER_ACTIONS = group('Hl7ListenersController', [create, list, show, change, remove]);

/** null: it is paused, or for HTTP alone. */
function servedInWords({ served, notServedReason }: ListenerView): string | null {
  if (served === null) return null;
  return served ? 'yes' : `no (${notServedReason ?? 'unknown'})`;
}

function factsOf(view: ListenerView): Record<string, string> {
  const { listenerId, organizationId, environment, name, enabled, certificateDays, settings } = view;
  const { port, host, tls } = settings;
  return {
    listener: listenerId,
    organization: organizationId,
    environment,
    name,
    state: enabled ? 'on' : 'paused',
    served: servedInWords(view) ?? 'nothing to serve',
    port: port === null ? 'HTTP alone' : String(port),
    ...(host === null ? {} : { host }),
    tls: tls === null ? 'no' : 'yes',
    ...(certificateDays === null ? {} : { 'certificate ends in': `${certificateDays} days` }),
    settings: JSON.stringify(settings),
  };
}
