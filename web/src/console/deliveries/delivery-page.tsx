import { useParams } from 'react-router';
import { SegmentView } from '../messages/segment-view.js';
import { ActButton } from '../shared/act-button.js';
import type { DeliveryDetail } from '../shared/answers.js';
import { Read } from '../shared/page-state.js';
import { Named } from '../shared/named.js';
import { pathWith, useRead } from '../shared/reads.js';
import { StateTag } from '../shared/tag.js';
import { moment } from '../shared/zone.js';
import { PageHeading } from '../shared/page-heading.js';

/** One delivery: what is sent, each attempt, and what can be done. */
export function DeliveryPage() {
  const { deliveryId = '' } = useParams();
  const path = `/admin/v1/deliveries/${encodeURIComponent(deliveryId)}`;
  const read = useRead<DeliveryDetail>(path);
  return (
    <Read read={read}>
      {({
        type,
        state,
        exit,
        endpointId,
        endpointName,
        organizationName,
        environment,
        createdAt,
        nextAt,
        deliveredAt,
        body,
        log,
        acts,
      }) => (
        <div className="stack">
          <PageHeading title={`${type} for ${endpointName ?? exit}, ${state}`} isRow>
            {type} <StateTag state={state} />
          </PageHeading>
          <p>
            To <Named name={endpointName} id={endpointId} to={pathWith('/connections', { shown: endpointId })} /> by{' '}
            {exit} ({[organizationName, environment].filter((part) => part !== null).join(', ')}), made{' '}
            {moment(createdAt)}
            {state === 'waiting' && nextAt !== null ? `, next attempt ${moment(nextAt)}` : ''}
            {deliveredAt === null ? '' : `, delivered ${moment(deliveredAt)}`}.
          </p>
          <div className="row">
            {state === 'waiting' ? (
              <ActButton
                label="Park"
                path={`${path}/park`}
                question="What waits behind it goes on."
                done="It is parked."
              />
            ) : null}
            {state === 'parked' || state === 'delivered' ? (
              <ActButton
                label={state === 'parked' ? 'Send again' : 'Send once more'}
                path={`${path}/replay`}
                {...(state === 'delivered'
                  ? { question: 'Its receiver gets it a second time, under the same id.' }
                  : {})}
                done="It is being sent."
              />
            ) : null}
            {state === 'parked' ? (
              <ActButton
                label="Give up"
                look="danger"
                path={`${path}/discard`}
                question="It is never sent. This cannot be taken back."
                done="It was given up."
              />
            ) : null}
          </div>
          <Past log={log} acts={acts} />
          <h2>What is sent</h2>
          {body.startsWith('MSH') ? (
            <SegmentView label="Message by its segments" message={body} />
          ) : (
            <pre className="card raw">{indented(body)}</pre>
          )}
        </div>
      )}
    </Read>
  );
}

/** Each attempt, and what people did. */
function Past({ log, acts }: Pick<DeliveryDetail, 'log' | 'acts'>) {
  return (
    <>
      <h2>Attempts</h2>
      {log.length === 0 ? <p className="hint">None yet.</p> : null}
      <ol>
        {log.map(({ at, delivered, answer, fault }) => (
          <li key={at}>
            {moment(at)}: {delivered ? 'delivered' : 'not delivered'} {answer ?? fault ?? ''}
          </li>
        ))}
      </ol>
      {acts.length === 0 ? null : (
        <>
          <h2>What people did</h2>
          <ol>
            {acts.map(({ at, what, by }, place) => (
              <li key={place}>
                {moment(at)}: {what}
                {by === null ? '' : ` by ${by}`}
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
