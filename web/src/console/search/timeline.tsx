import { Fragment } from 'react';
import { Link } from 'react-router';
import type { TraceEvent } from '../shared/answers.js';
import { eventInWords, factInWords, moment, toneOf } from '../shared/words.js';
import './timeline.css';

/** Everything that happened, oldest first, with its words, and what a person has to do where it stands still. */
export function Timeline({ events }: { readonly events: readonly TraceEvent[] }) {
  const stuck = events.filter(({ next }) => next !== null);
  return (
    <>
      {stuck.length === 0 ? null : (
        <div className="notice warn" role="note">
          <strong>What to do</strong>
          <ul>
            {stuck.map(({ next, what, at }) => (
              <li key={`${at} ${what} ${next}`}>{next}</li>
            ))}
          </ul>
        </div>
      )}
      <ol className="timeline">
        {events.map((event, place) => (
          <li key={place} className={toneOf(event)}>
            <time dateTime={event.at}>{moment(event.at)}</time>
            <strong>{eventInWords(event)}</strong>
            <Facts event={event} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Facts({ event: { what, facts, resources, next } }: { readonly event: TraceEvent }) {
  return (
    <>
      <dl>
        {Object.entries(facts).map(([name, value]) => (
          <Fragment key={name}>
            <dt>{factInWords(name)}</dt>
            <dd>{String(value)}</dd>
          </Fragment>
        ))}
        {resources.length === 0 ? null : (
          <>
            <dt>about</dt>
            <dd>
              {resources.map((resource) => (
                <ResourceLink key={resource} resource={resource} isDelivery={what.startsWith('delivery.')} />
              ))}
            </dd>
          </>
        )}
      </dl>
      {next === null ? null : <p className="next">{next}</p>}
    </>
  );
}

/** Messages and deliveries have pages of their own; everything else is searched for by its id. */
function ResourceLink({ resource, isDelivery }: { readonly resource: string; readonly isDelivery: boolean }) {
  const [type = '', id = ''] = resource.split('/');
  const page = isDelivery ? 'deliveries' : 'messages';
  const to = type === 'MessageHeader' ? `/${page}/${id}` : `/search?${new URLSearchParams({ q: id }).toString()}`;
  return (
    <Link className="mono" to={to}>
      {resource}
    </Link>
  );
}
