import { useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ActButton } from '../shared/act-button.js';
import type { Connection, Connections } from '../shared/answers.js';
import { lengthBetween } from '../shared/lengths.js';
import { Read } from '../shared/page-state.js';
import { pathWith, useRead } from '../shared/reads.js';
import { Tag } from '../shared/tag.js';
import { moment } from '../shared/zone.js';
import { mayAct, useSession } from '../session.js';
import { trialInWords } from '../peers/trial-words.js';
import { CONNECTION_KIND_WORDS, queueInWords, stateTone, stateWord } from './connection-words.js';
import './connections.css';
import { PageHeading } from '../shared/page-heading.js';

/** Read again while the page is seen. */
const EVERY_MS = 5000;

/** Every way in and out: what needs a person first, with what to do about it. */
export function ConnectionsPage() {
  const read = useRead<Connections>('/admin/v1/connections', { everyMs: EVERY_MS });
  const [query] = useSearchParams();
  return (
    <div className="stack">
      <PageHeading title="Connections" />
      <Read read={read}>{(data) => <Board data={data} shown={query.get('shown')} isOld={read.error !== null} />}</Read>
    </div>
  );
}

interface BoardProps {
  readonly data: Connections;
  /** The id of the row that a link led to. */
  readonly shown: string | null;
  readonly isOld: boolean;
}

const COLUMNS = ['Connection', 'State', 'Last', 'Waiting', 'Certificate', 'What to do'] as const;

function Board({ data: { at, connections, isAllSeen }, shown, isOld }: BoardProps) {
  return (
    <>
      <p className="hint">
        {isOld ? `As they were at ${moment(at)}; they cannot be read now.` : `Looked at ${moment(at)}.`}
        {isAllSeen ? '' : ' Connections of organizations where you have no role are not shown to you.'}
      </p>
      {connections === null ? (
        <p className="notice warn">They could not be read in time. They are read again in a few seconds.</p>
      ) : connections.length === 0 ? (
        <p className="hint">
          There is no connection that you may see. <Link to="/peers">Make a listener or a destination.</Link>
        </p>
      ) : (
        <div role="table" className="board" aria-label="Connections">
          <div role="row" className="board-head">
            {COLUMNS.map((title) => (
              <span key={title} role="columnheader">
                {title}
              </span>
            ))}
          </div>
          {connections.map((one) => (
            <Row key={one.id} connection={one} at={at} isShown={one.id === shown} isOld={isOld} />
          ))}
        </div>
      )}
    </>
  );
}

interface RowProps {
  readonly connection: Connection;
  readonly at: string;
  readonly isShown: boolean;
  readonly isOld: boolean;
}

function Row({ connection, at, isShown, isOld }: RowProps) {
  const { kind, name, address, organizationName, environment, words, since, lastWellAt, certificateDays } = connection;
  const { said, nextStep } = connection;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isShown) row.current?.scrollIntoView({ block: 'center' });
  }, [isShown]);
  return (
    <div ref={row} role="row" className={isShown ? 'board-row shown' : 'board-row'}>
      <div role="cell">
        <strong>{name ?? address}</strong>
        <span className="hint">
          {CONNECTION_KIND_WORDS[kind]}
          {name === null ? '' : ` · ${address}`}
          <br />
          {[organizationName, environment].filter((part) => part !== null).join(', ')}
        </span>
      </div>
      <div role="cell">
        <Tag tone={isOld ? 'plain' : stateTone(connection)}>{stateWord(connection)}</Tag>
        <span>
          It {words}
          {since === null ? '' : `, since ${moment(since)} (${lengthBetween(since, at)})`}
        </span>
        {said === null || words.includes(said) ? null : <code>{said}</code>}
      </div>
      <div role="cell" data-title="Last">
        {lastWellAt === null ? 'never' : `${lengthBetween(lastWellAt, at)} ago`}
        {lastWellAt === null ? null : <span className="hint"> {moment(lastWellAt)}</span>}
      </div>
      <div role="cell" data-title="Waiting">
        {queueInWords(connection, at)}
      </div>
      <div role="cell" data-title="Certificate">
        {certificateDays === null ? '–' : certificateDays < 0 ? 'has ended' : `${certificateDays} days`}
      </div>
      <div role="cell">
        {nextStep === null ? null : <span className="hint">{nextStep}</span>}
        <Acts connection={connection} />
      </div>
    </div>
  );
}

function Acts({ connection }: { readonly connection: Connection }) {
  const session = useSession();
  const { id, kind, organizationId, environment, waiting, parked } = connection;
  const isIntegrator = mayAct(session, 'integrator', organizationId);
  const path = `/admin/v1/deliveries/endpoints/${id}`;
  const queue = (state: string) =>
    kind === 'hl7'
      ? pathWith('/messages', { direction: 'out', organizationId, environment, destinationId: id, state })
      : pathWith('/deliveries', { endpointId: id, state });
  return (
    <div className="row">
      {kind === 'listener' ? (
        <Link to={pathWith('/messages', { direction: 'in', listenerId: id })}>Messages</Link>
      ) : (
        <>
          {waiting === 0 ? null : <Link to={queue('waiting')}>What waits</Link>}
          {parked === 0 ? null : <Link to={queue('parked')}>What is parked</Link>}
        </>
      )}
      {isIntegrator && kind !== 'listener' ? (
        <>
          <ActButton label="Test" path={`${path}/test`} done={trialInWords} />
          {connection.fault === 'endpoint_paused' || connection.fault === 'endpoint_disabled' ? (
            <ActButton label="Resume" path={`${path}/resume`} done="It is resumed: what waits is being sent." />
          ) : (
            <ActButton label="Pause" path={`${path}/pause`} question="What is made meanwhile waits." />
          )}
          {kind === 'hl7' && parked > 0 ? (
            <ActButton
              label="Send all that is parked"
              path={`/admin/v1/hl7/destinations/${id}/requeue`}
              question="Every parked message is sent again, in its order."
              done={(answer) => `${String((answer as { requeued?: number }).requeued ?? 0)} are being sent.`}
            />
          ) : null}
        </>
      ) : null}
      {isIntegrator && kind === 'listener' ? <ListenerSwitch connection={connection} /> : null}
      <Link to={pathWith('/peers', { organizationId, environment })}>Settings</Link>
    </div>
  );
}

function ListenerSwitch({ connection: { id, fault } }: { readonly connection: Connection }) {
  const isPaused = fault === 'listener_paused';
  return (
    <ActButton
      label={isPaused ? 'Resume' : 'Pause'}
      method="PATCH"
      path={`/admin/v1/hl7/listeners/${id}`}
      body={{ enabled: isPaused }}
      {...(isPaused ? {} : { question: 'Senders cannot connect until it is resumed.' })}
    />
  );
}
