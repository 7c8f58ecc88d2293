import { Link } from 'react-router';
import { ActButton } from '../shared/act-button.js';
import type { Destination, Endpoint, Items, Listener } from '../shared/answers.js';
import { OrganizationChoice, useChoice } from '../shared/organization-choice.js';
import { Read } from '../shared/page-state.js';
import { pathWith, useRead } from '../shared/reads.js';
import { StateTag, Tag } from '../shared/tag.js';
import { mayAct, useSession } from '../session.js';
import { EhrsPart } from './ehrs-part.js';
import { NewPeer } from './new-peer.js';
import { SettingsEditor } from './settings-editor.js';
import { EndpointState, SubscriptionCard, Trouble, WebhookCard, type WebhookEndpoint } from './endpoint-cards.js';
import { trialInWords } from './trial-words.js';
import { PageHeading } from '../shared/page-heading.js';

/** Read again while the page is seen. */
const EVERY_MS = 15_000;

/** Where messages come in and results go out: what is served, paused or failing, each tried by a button. */
export function PeersPage() {
  const { organizationId, environment } = useChoice();
  const listeners = useRead<Items<Listener>>(pathWith('/admin/v1/hl7/listeners', { organizationId }));
  const destinations = useRead<Items<Destination>>(pathWith('/admin/v1/hl7/destinations', { organizationId }));
  const webhooks = useRead<Items<WebhookEndpoint>>(pathWith('/admin/v1/webhooks', { organizationId }), {
    isAsked: organizationId !== undefined,
  });
  const endpoints = useRead<Items<Endpoint>>(
    pathWith('/admin/v1/deliveries/endpoints', { organizationId, environment }),
    { everyMs: EVERY_MS },
  );
  const endpointOf = (id: string) => endpoints.data?.items.find((endpoint) => endpoint.id === id);
  const session = useSession();
  const isShown = (peer: { readonly environment: string }) =>
    environment === undefined || peer.environment === environment;
  return (
    <div className="stack">
      <PageHeading title="Listeners, destinations, webhooks, Subscriptions, EHRs" />
      <div className="filters">
        <OrganizationChoice />
      </div>
      {mayAct(session, 'integrator', organizationId) ? (
        <NewPeer organizationId={organizationId} environment={environment} />
      ) : null}
      <h2>Listeners</h2>
      <Read read={listeners}>
        {({ items }) => (
          <List
            empty="There is no listener: no HL7 message can come in over MLLP."
            items={items.filter(isShown)}
            item={(listener) => <ListenerCard key={listener.id} listener={listener} />}
          />
        )}
      </Read>
      <h2>Destinations</h2>
      <Read read={destinations}>
        {({ items }) => (
          <List
            empty="There is no destination: no result is sent by HL7."
            items={items.filter(isShown)}
            item={(destination) => (
              <DestinationCard key={destination.id} {...{ destination }} endpoint={endpointOf(destination.id)} />
            )}
          />
        )}
      </Read>
      <h2>Webhooks</h2>
      {organizationId === undefined ? (
        <p className="hint">Choose an organization to see its webhooks.</p>
      ) : (
        <Read read={webhooks}>
          {({ items }) => (
            <List
              empty="There is no webhook: nobody is told of results by HTTP."
              items={items.filter(isShown)}
              item={(webhook) => <WebhookCard key={webhook.id} {...{ webhook }} endpoint={endpointOf(webhook.id)} />}
            />
          )}
        </Read>
      )}
      <h2>FHIR Subscriptions</h2>
      <Read read={endpoints}>
        {({ items }) => (
          <List
            empty="There is no Subscription. Systems that use FHIR make their own, by POST /fhir/Subscription."
            items={items.filter(({ exit }) => exit === 'subscription')}
            item={(subscription) => <SubscriptionCard key={subscription.id} subscription={subscription} />}
          />
        )}
      </Read>
      <EhrsPart organizationId={organizationId} environment={environment} endpointOf={endpointOf} />
    </div>
  );
}

interface ListProps<T> {
  readonly items: readonly T[];
  readonly item: (item: T) => React.ReactNode;
  readonly empty: string;
}

function List<T>({ items, item, empty }: ListProps<T>) {
  return items.length === 0 ? <p className="hint">{empty}</p> : <div className="stack">{items.map(item)}</div>;
}

const NOT_SERVED: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program has its port.',
  ENOENT: 'A file of its TLS settings is missing.',
  plain_not_allowed: 'Without TLS it may be bound to this machine alone (HL7_ALLOW_PLAIN).',
  no_gateway: 'It was just made, or no gateway with the role hl7 runs.',
};

function ListenerCard({ listener }: { readonly listener: Listener }) {
  const session = useSession();
  const { id, name, environment, enabled, served, notServedReason, certificateDays, settings } = listener;
  const path = `/admin/v1/hl7/listeners/${id}`;
  return (
    <section className="card stack" aria-label={`Listener ${name}`}>
      <div className="row">
        <strong>{name}</strong>
        <Tag>{environment}</Tag>
        {enabled ? null : <StateTag state="paused" />}
        {served === true ? <Tag tone="good">served</Tag> : null}
        {served === false ? <Tag tone="bad">not served</Tag> : null}
        <span className="hint mono">
          {String(settings.host ?? '')}:{String(settings.port ?? 'HTTP')}
        </span>
      </div>
      {notServedReason === null ? null : (
        <p className="notice bad">
          {NOT_SERVED[notServedReason] ?? 'Its port cannot be opened.'} <code>{notServedReason}</code>
        </p>
      )}
      {certificateDays !== null && certificateDays < 30 ? (
        <p className={certificateDays < 0 ? 'notice bad' : 'notice warn'}>
          {certificateDays < 0
            ? `Its certificate ended ${-certificateDays} days ago.`
            : `Its certificate ends in ${certificateDays} days.`}
        </p>
      ) : null}
      <div className="row">
        <Link to={`/messages?${new URLSearchParams({ direction: 'in', listenerId: id }).toString()}`}>
          What came in there
        </Link>
        {mayAct(session, 'integrator', listener.organizationId) ? (
          <ActButton
            label={enabled ? 'Pause' : 'Resume'}
            method="PATCH"
            path={path}
            body={{ enabled: !enabled }}
            {...(enabled ? { question: 'Senders cannot connect until it is resumed.' } : {})}
          />
        ) : null}
      </div>
      {mayAct(session, 'integrator', listener.organizationId) ? (
        <SettingsEditor path={path} settings={settings} of={`listener ${name}`} />
      ) : null}
    </section>
  );
}

interface DestinationProps {
  readonly destination: Destination;
  /** What is known of its receiver; undefined: not read yet. */
  readonly endpoint: Endpoint | undefined;
}

function DestinationCard({ destination, endpoint }: DestinationProps) {
  const session = useSession();
  const { id, name, environment, enabled, takes, settings, organizationId } = destination;
  const path = `/admin/v1/hl7/destinations/${id}`;
  const queue = (state: string) =>
    `/messages?${new URLSearchParams({ direction: 'out', organizationId, environment, destinationId: id, state }).toString()}`;
  return (
    <section className="card stack" aria-label={`Destination ${name}`}>
      <div className="row">
        <strong>{name}</strong>
        <Tag>{environment}</Tag>
        <EndpointState endpoint={endpoint} />
        <span className="hint mono">
          {String(settings.host ?? '')}:{String(settings.port ?? '')}
        </span>
      </div>
      <Trouble endpoint={endpoint} />
      <p>{takes}</p>
      <div className="row">
        <Link to={queue('waiting')}>Waiting</Link>
        <Link to={queue('parked')}>Parked</Link>
        <Link to={queue('delivered')}>Delivered</Link>
        {mayAct(session, 'integrator', organizationId) ? (
          <>
            <ActButton label="Test" path={`${path}/test`} done={trialInWords} />
            <ActButton
              label={enabled ? 'Pause' : 'Resume'}
              method="PATCH"
              path={path}
              body={{ enabled: !enabled }}
              {...(enabled ? { question: 'What is made meanwhile waits.' } : {})}
            />
            <ActButton
              label="Send all that is parked"
              path={`${path}/requeue`}
              question="Every parked message is sent again, in its order."
              done={(answer) => `${String((answer as { requeued?: number }).requeued ?? 0)} are being sent.`}
            />
          </>
        ) : null}
      </div>
      {mayAct(session, 'integrator', organizationId) ? (
        <SettingsEditor path={path} settings={settings} of={`destination ${name}`} />
      ) : null}
    </section>
  );
}
