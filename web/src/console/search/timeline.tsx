import { Fragment } from 'react';
import { Link } from 'react-router';
import type { Trace, TraceEvent } from '../shared/answers.js';
import { inConsole } from '../shared/console-advice.js';
import { Named } from '../shared/named.js';
import { eventInWords, factInWords, toneOf } from '../shared/words.js';
import { moment } from '../shared/zone.js';
import { stuckByCause } from './stuck-causes.js';
import './timeline.css';

interface TimelineProps {
  readonly events: readonly TraceEvent[];
  /** What people call what facts have by its id. */
  readonly names: Trace['names'];
}

/** Everything that happened, oldest first, with its words, and what a person has to do where it stands still. */
export function Timeline({ events, names }: TimelineProps) {
  const stuck = stuckByCause(events);
  return (
    <>
      {stuck.length === 0 ? null : (
        <div className="notice warn" role="note">
          <strong>What to do</strong>
          <ul>
            {stuck.map(({ cause, count, resource, isDelivery }) => (
              <li key={cause}>
                {count === 1 ? '' : `${count} times: `}
                {cause} {resource === null ? null : <ResourceLink resource={resource} isDelivery={isDelivery} />}
                {resource === null || count === 1 ? '' : ', the last of them'}
              </li>
            ))}
          </ul>
        </div>
      )}
      <ol className="timeline">
        {events.map((event, place) => (
          <li key={place} className={toneOf(event)}>
            <time dateTime={event.at}>{moment(event.at)}</time>
            <strong>{eventInWords(event)}</strong>
            <Facts event={event} names={names} />
          </li>
        ))}
      </ol>
    </>
  );
}

interface FactsProps {
  readonly event: TraceEvent;
  readonly names: Trace['names'];
}

function Facts({ event: { what, facts, resources, next }, names }: FactsProps) {
  return (
    <>
      <dl>
        {Object.entries(facts).map(([name, value]) => (
          <Fragment key={name}>
            <dt>{factInWords(name)}</dt>
            <dd>{Object.hasOwn(names, value) ? <Named name={names[value]!} id={String(value)} /> : String(value)}</dd>
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
      {next === null ? null : <p className="next">{inConsole(next)}</p>}
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
