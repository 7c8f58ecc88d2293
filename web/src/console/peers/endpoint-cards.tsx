import { Link } from 'react-router';
import { ActButton } from '../shared/act-button.js';
import type { ExitEndpoint } from '../shared/answers.js';
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

/** One webhook of an organization. */
export function WebhookCard({ webhook }: { readonly webhook: WebhookEndpoint }) {
  const { id, url, types, state, environment, organizationId } = webhook;
  return (
    <section className="card stack" aria-label={`Webhook ${url}`}>
      <div className="row">
        <strong className="mono">{url}</strong>
        <Tag>{environment}</Tag>
        <StateTag state={state} />
      </div>
      <p className="hint">{types.length === 0 ? 'every event' : types.join(', ')}</p>
      <EndpointActs id={id} organizationId={organizationId} state={state} trial="Test" />
    </section>
  );
}

/** One Subscription, which its own system makes and changes; an operator holds it back, resumes and tests it. */
export function SubscriptionCard({ subscription }: { readonly subscription: ExitEndpoint }) {
  const { id, address, state, environment, organizationId, trouble } = subscription;
  return (
    <section className="card stack" aria-label={`Subscription ${address}`}>
      <div className="row">
        <strong className="mono">{address}</strong>
        <Tag>{environment}</Tag>
        <StateTag state={state} />
      </div>
      <p className="hint mono">Subscription/{id}</p>
      {trouble === undefined ? null : <p className="notice warn">{trouble}</p>}
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
