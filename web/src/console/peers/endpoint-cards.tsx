import { Link } from 'react-router';
import { ActButton } from '../shared/act-button.js';
import type { Endpoint } from '../shared/answers.js';
import { moment } from '../shared/zone.js';
import { StateTag, Tag } from '../shared/tag.js';
import { mayAct, useSession } from '../session.js';
import { trialInWords } from './trial-words.js';

export interface WebhookEndpoint {
  readonly id: string;
  readonly organizationId: string;
  readonly environment: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly state: string;
  readonly [field: string]: unknown;
}

/** Whether results arrive there; nothing is said before it is known. */
export function EndpointState({ endpoint }: { readonly endpoint: Endpoint | undefined }) {
  if (endpoint === undefined) return null;
  if (endpoint.state !== 'active') return <StateTag state={endpoint.state} />;
  return endpoint.trouble === undefined ? <Tag tone="good">no failure known</Tag> : <Tag tone="bad">failing</Tag>;
}

/** What is wrong with it, and since when. */
export function Trouble({ endpoint }: { readonly endpoint: Endpoint | undefined }) {
  if (endpoint?.trouble === undefined) return null;
  const { trouble, failingSince } = endpoint;
  return (
    <p className="notice warn">
      {failingSince === undefined ? null : <strong>Since {moment(failingSince)}: </strong>}
      {trouble}
    </p>
  );
}

interface WebhookProps {
  readonly webhook: WebhookEndpoint;
  /** What is known of its receiver; undefined: not read yet. */
  readonly endpoint: Endpoint | undefined;
}

/** One webhook of an organization. */
export function WebhookCard({ webhook, endpoint }: WebhookProps) {
  const { id, url, types, state, environment, organizationId } = webhook;
  return (
    <section className="card stack" aria-label={`Webhook ${url}`}>
      <div className="row">
        <strong className="mono">{url}</strong>
        <Tag>{environment}</Tag>
        <EndpointState endpoint={endpoint} />
      </div>
      <Trouble endpoint={endpoint} />
      <p className="hint">{types.length === 0 ? 'every event' : types.join(', ')}</p>
      <EndpointActs id={id} organizationId={organizationId} state={state} trial="Test" />
    </section>
  );
}

/** One Subscription, which its own system makes and changes; an operator holds it back, resumes and tests it. */
export function SubscriptionCard({ subscription }: { readonly subscription: Endpoint }) {
  const { id, address, state, environment, organizationId } = subscription;
  return (
    <section className="card stack" aria-label={`Subscription ${address}`}>
      <div className="row">
        <strong className="mono">{address}</strong>
        <Tag>{environment}</Tag>
        <EndpointState endpoint={subscription} />
      </div>
      <p className="hint mono">Subscription/{id}</p>
      <Trouble endpoint={subscription} />
      <EndpointActs id={id} organizationId={organizationId} state={state} trial="Send a handshake" />
    </section>
  );
}

interface EndpointActsProps {
  readonly id: string;
  readonly organizationId: string;
  readonly state: string;
  /** What trying it is called. */
  readonly trial: string;
}

function EndpointActs({ id, organizationId, state, trial }: EndpointActsProps) {
  const session = useSession();
  const path = `/admin/v1/deliveries/endpoints/${id}`;
  return (
    <div className="row">
      <Link to={`/deliveries?${new URLSearchParams({ endpointId: id }).toString()}`}>Deliveries</Link>
      {mayAct(session, 'integrator', organizationId) ? (
        <>
          <ActButton label={trial} path={`${path}/test`} done={trialInWords} />
          {state === 'active' ? (
            <ActButton label="Pause" path={`${path}/pause`} question="What is made meanwhile waits." />
          ) : (
            <ActButton label="Resume" path={`${path}/resume`} done="It is resumed: what waits is being sent." />
          )}
        </>
      ) : null}
    </div>
  );
}
