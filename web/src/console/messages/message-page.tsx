import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { ActButton } from '../shared/act-button.js';
import type { Destination, Hl7Problem, Items, MessageDetail } from '../shared/answers.js';
import { inConsole } from '../shared/console-advice.js';
import { Named } from '../shared/named.js';
import { Read } from '../shared/page-state.js';
import { pathWith, useRead } from '../shared/reads.js';
import { StateTag } from '../shared/tag.js';
import { eventInWords } from '../shared/words.js';
import { moment } from '../shared/zone.js';
import { SegmentView } from './segment-view.js';
import { peerOf, timeOf, whatOf } from './message-table.js';
import { PageHeading } from '../shared/page-heading.js';

/** One message: what it says, what became of it, and what can be done with it. */
export function MessagePage() {
  const { messageId = '' } = useParams();
  const read = useRead<MessageDetail>(`/admin/v1/hl7/messages/${encodeURIComponent(messageId)}`);
  return <Read read={read}>{(message) => <Shown message={message} />}</Read>;
}

function Shown({ message }: { readonly message: MessageDetail }) {
  const isIn = message.direction === 'in';
  const peerId = message.direction === 'in' ? message.sourceId : message.destinationId;
  return (
    <div className="stack">
      <PageHeading title={`${whatOf(message)} ${message.controlId}`}>
        {whatOf(message)} <span className="mono">{message.controlId}</span>
      </PageHeading>
      <p className="row">
        <StateTag state={message.state} />
        <span>{isIn ? 'came in by' : 'goes out to'}</span>
        <Named name={peerOf(message)} id={peerId} to={pathWith('/connections', { shown: peerId })} />
        <span>{moment(timeOf(message))}</span>
        <span>{[message.organizationName, message.environment].filter((part) => part !== null).join(', ')}</span>
        <Link to={`/search?${new URLSearchParams({ q: message.id }).toString()}`}>What happened to it</Link>
      </p>
      {message.reason === null ? null : (
        <div className="notice warn">
          <strong>{message.reason.text}</strong>
          <p>{inConsole(message.reason.nextStep)}</p>
        </div>
      )}
      {isIn ? <CameIn message={message} /> : <GoesOut message={message} />}
      <h2>Message</h2>
      <SegmentView label="Message by its segments" message={message.message} />
      <details>
        <summary>As it went over the line</summary>
        <pre className="card raw">{message.message.replaceAll('\r', '\n')}</pre>
      </details>
    </div>
  );
}

type Inbound = Extract<MessageDetail, { readonly direction: 'in' }>;
type Outbound = Extract<MessageDetail, { readonly direction: 'out' }>;

function CameIn({ message }: { readonly message: Inbound }) {
  const path = `/admin/v1/hl7/messages/${message.id}`;
  return (
    <>
      <div className="row">
        {['failed', 'processed', 'ignored'].includes(message.state) ? (
          <ActButton
            label="Process once more"
            path={`${path}/replay`}
            question="It is processed as if it came now."
            done="It is being processed once more."
          />
        ) : null}
        <Link className="button" to={`/dry-run?${new URLSearchParams({ from: message.id }).toString()}`}>
          Edit and try
        </Link>
      </div>
      {message.problems.length === 0 ? null : (
        <section className="card stack" aria-label="What is wrong with it">
          <h2>What is wrong with it</h2>
          <ul>
            {message.problems.map((problem, place) => (
              <li key={place}>
                {problem.text} <code>{placeOf(problem)}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
      {message.analysisIds.length === 0 ? null : (
        <p>
          Became{' '}
          {message.analysisIds.map((id) => (
            <Link key={id} className="mono" to={`/search?${new URLSearchParams({ q: id }).toString()}`}>
              {id}
            </Link>
          ))}
        </p>
      )}
      {message.ack === null || message.ack === undefined ? (
        <p className="hint">No acknowledgment was sent.</p>
      ) : (
        <>
          <h2>Acknowledgment</h2>
          <SegmentView label="Acknowledgment by its segments" message={message.ack} />
        </>
      )}
    </>
  );
}

function placeOf({ place }: Hl7Problem): string {
  if (place === null) return '';
  return [place.segment, place.field, place.component].filter((part) => part !== undefined).join('-');
}

/** Attempts that failed, and what people did. */
function Past({ history }: { readonly history: Outbound['history'] }) {
  if (history.length === 0) return null;
  return (
    <section className="stack" aria-label="What happened to it until now">
      <h2>Until now</h2>
      <ol>
        {history.map(({ at, what, attempt, answer, fault, by, times, words }, place) => (
          <li key={place}>
            {moment(at)}: {eventInWords({ what: `hl7.${what}`, facts: {} })}
            {attempt === null ? '' : `, attempt ${attempt}`}
            {times > 1 ? `, ${times} times` : ''} <code>{answer ?? fault ?? ''}</code>
            {by === null ? '' : ` by ${by}`}
            {words === null ? null : <p>{wordsIn(words)}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function wordsIn({ text, problems }: NonNullable<Outbound['answer']>): string {
  const said = problems.map(({ message, diagnostic, conditionText }) => message || diagnostic || conditionText);
  return [...new Set([text, ...said])].filter((one) => one !== '').join('; ');
}

function GoesOut({ message }: { readonly message: Outbound }) {
  const path = `/admin/v1/hl7/messages/${message.id}`;
  const [to, setTo] = useState('');
  const { data } = useRead<Items<Destination>>(
    pathWith('/admin/v1/hl7/destinations', { organizationId: message.organizationId }),
  );
  const destinations = data?.items ?? [];
  const own = destinations.find(({ id }) => id === message.destinationId);
  const others = destinations.filter(
    ({ id, environment }) => id !== message.destinationId && environment === message.environment,
  );
  return (
    <>
      <p>
        {own?.enabled === false ? 'Its destination is paused. ' : ''}
        {message.attempts === 1 ? '1 attempt' : `${message.attempts} attempts`}
        {message.state === 'waiting' ? `, the next at ${moment(message.nextAt)}` : ''}
        {message.deliveredAt === null ? '' : `, delivered ${moment(message.deliveredAt)}`}.{' '}
        {message.ackCode === null ? 'No acknowledgment came.' : `Its receiver answered ${message.ackCode}.`}
      </p>
      {message.answer === null || message.answer === undefined ? null : (
        <div className="notice">
          <strong>The receiver’s words</strong>
          <p>{message.answer.text}</p>
          <ul>
            {message.answer.problems.map((problem, place) => (
              <li key={place}>
                {problem.message || problem.diagnostic || problem.conditionText} <code>{problem.place}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Past history={message.history} />
      <div className="row">
        {message.state === 'waiting' ? (
          <>
            <ActButton label="Try now" path={`${path}/retry`} done="It is tried now." />
            <ActButton
              label="Park"
              path={`${path}/park`}
              question="What waits behind it goes on."
              done="It is parked."
            />
          </>
        ) : null}
        {message.state === 'parked' ? (
          <>
            <ActButton label="Send again" look="primary" path={`${path}/requeue`} done="It is being sent again." />
            <ActButton
              label="Give up"
              look="danger"
              path={`${path}/discard`}
              question="It is never sent. This cannot be taken back."
              done="It was given up."
            />
          </>
        ) : null}
        {message.state === 'delivered' ? (
          <ActButton
            label="Send once more"
            path={`${path}/replay`}
            question="Its receiver gets it a second time, under the same MSH-10."
            done="It is being sent once more."
          />
        ) : null}
      </div>
      {['waiting', 'parked'].includes(message.state) && others.length > 0 ? (
        <div className="row">
          <label className="field">
            <span className="label">Another destination</span>
            <select className="input" value={to} onChange={(event) => setTo(event.target.value)}>
              <option value="">choose</option>
              {others.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {to === '' ? null : (
            <ActButton label="Move it there" path={`${path}/move`} body={{ destinationId: to }} done="It was moved." />
          )}
        </div>
      ) : null}
    </>
  );
}
