import type { CliReport } from '../../../../platform/cli/cli-command.js';
import { commandOn, given, required } from '../../../../platform/cli/command-options.js';
import { factReport, tableReport } from '../../../../platform/cli/command-report.js';
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
import { LISTENER_CHANGE, NEW_LISTENER } from '../operations/hl7.schema.js';
import type { ListenerView } from '../operations/hl7.views.js';

const TLS = { certFile: 'tls-cert', keyFile: 'tls-key', caFile: 'tls-ca', clientCertificate: 'client-cert' } as const;
const SETTINGS_USAGE =
  '[--host ADDRESS] [--tls-cert FILE --tls-key FILE [--tls-ca FILE --client-cert none|required]] [--settings JSON]';

const create: Hl7Command = {
  usage: `hl7 listener create --org ID --env test|live --name NAME --port P ${SETTINGS_USAGE}`,
  summary: 'Take messages of an organization over MLLP. A running gateway listens within 5 s.',
  prepare(values) {
    const tls = given(values, TLS);
    const settings = {
      ...settingsOf(values),
      port: portOf(values),
      ...given(values, { host: 'host' }),
      ...(Object.keys(tls).length === 0 ? {} : { tls }),
    };
    const input = check(NEW_LISTENER, { ...ownerOf(values), settings });
    return async ({ peers }) => describe(await peers.createListener(input));
  },
};

const list = listOf('hl7 listener list', 'List listeners.', async ({ peers }, organizationId) =>
  tableReport(await peers.listListeners(organizationId), {
    LISTENER: ({ listenerId }) => listenerId,
    ENVIRONMENT: ({ environment }) => environment,
    NAME: ({ name }) => name,
    PORT: ({ settings }) => (settings.port === null ? 'HTTP' : String(settings.port)),
    HOST: ({ settings }) => settings.host,
    TLS: ({ settings }) => (settings.tls === null ? 'no' : 'yes'),
    STATE: ({ enabled }) => (enabled ? 'on' : 'paused'),
    SERVED: servedInWords,
    'CERT DAYS': ({ certificateDays }) => (certificateDays === null ? null : String(certificateDays)),
  }),
);

const show = commandOn<Hl7Services>(
  { name: 'hl7 listener show', summary: 'One listener with all its settings.', by: 'id' },
  async ({ peers }, id) => describe(await peers.listener(id)),
);

const set: Hl7Command = {
  usage: `hl7 listener set --id ID [--name NAME] [--port P] ${SETTINGS_USAGE}`,
  summary:
    'Change a listener; what is not named stays. In --settings null brings a setting back to its default. Followed within 5 s.',
  prepare(values) {
    const id = required(values, 'id');
    const change = check(LISTENER_CHANGE, changeOf(values, given(values, { host: 'host' }), given(values, TLS)));
    return async ({ peers }) => describe(await peers.changeListener(id, change));
  },
};

/** A command that only pauses or resumes. */
function switched(verb: 'pause' | 'resume', summary: string): Hl7Command {
  return commandOn<Hl7Services>({ name: `hl7 listener ${verb}`, summary, by: 'id' }, async ({ peers }, id) =>
    describe(await peers.changeListener(id, { enabled: verb === 'resume' })),
  );
}

const remove = commandOn<Hl7Services>(
  { name: 'hl7 listener delete', summary: 'Take no further messages. Those that came stay.', by: 'id' },
  async ({ peers }, listenerId) => {
    await peers.deleteListener(listenerId);
    return { json: { listenerId, state: 'deleted' }, text: `Listener ${listenerId} is deleted.` };
  },
);

export const LISTENER_COMMANDS: readonly Hl7Command[] = [
  create,
  list,
  show,
  set,
  switched(
    'pause',
    'Close the port until it is resumed. What came is still processed, and POST /hl7v2 is still read as the listener says.',
  ),
  switched('resume', 'Listen again.'),
  remove,
];

/** null: it is paused, or for HTTP alone. */
function servedInWords({ served, notServedReason }: ListenerView): string | null {
  if (served === null) return null;
  return served ? 'yes' : `no (${notServedReason ?? 'unknown'})`;
}

function describe(view: ListenerView): CliReport {
  const { listenerId, organizationId, environment, name, enabled, certificateDays, settings } = view;
  const { port, host, tls } = settings;
  return factReport(view, {
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
  });
}
