import { Fragment, useState, type FormEvent } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { ask } from '../../shared/api.js';
import { Button, Checkbox, TextField } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import type { AuditBundle, AuditEvent } from '../shared/answers.js';
import { OrganizationChoice, useChoice } from '../shared/organization-choice.js';
import { Named } from '../shared/named.js';
import { pathWith } from '../shared/reads.js';
import { Tag } from '../shared/tag.js';
import { instantOf, moment, pickedOf, useZone } from '../shared/zone.js';
import { mayAct, useSession } from '../session.js';
import { resourceInWords, toldOf, typeInWords, type ToldThing } from './audit-words.js';
import { PageHeading } from '../shared/page-heading.js';

const PAGE = 100;
/** Of the things that an entry is about. */
const MOST_TOLD = 3;
const WORDS = ['patient', 'agent'] as const;
/** Instants in the address; their fields show them in the zone that was chosen. */
const TIMES = ['from', 'to'] as const;

/** Who came to whose data, newest first; that it was looked at is an entry, too. */
export function AuditPage() {
  const [query] = useSearchParams();
  const { organizationId, environment } = useChoice('admin');
  const session = useSession();
  const isRefused = query.get('refused') === 'true';
  const path = pathWith(`/admin/v1/organizations/${organizationId ?? ''}/audit-events`, {
    environment,
    patient: query.get('patient') ?? undefined,
    agent: query.get('agent') ?? undefined,
    from: instantOf(query.get('from')),
    to: instantOf(query.get('to')),
    refused: isRefused ? 'true' : undefined,
    limit: PAGE,
  });
  return (
    <div className="stack">
      <PageHeading title="Audit trail" />
      <p className="hint">
        Who came to whose data, by which door, and what was refused. Looking here is an entry of the trail, too.
      </p>
      {mayAct(session, 'admin') ? <Filters /> : null}
      {mayAct(session, 'admin') ? null : <p>This is for people with the role admin.</p>}
      {organizationId === undefined ? (
        mayAct(session, 'admin') ? (
          <p>Choose an organization to see who came to its data.</p>
        ) : null
      ) : (
        <Events key={path} path={path} />
      )}
    </div>
  );
}

function Filters() {
  const [query, setQuery] = useSearchParams();
  const [zone] = useZone();
  const [typedIn, setTypedIn] = useState(zone);
  const [text, setText] = useState<Readonly<Record<string, string>>>(() => ({
    ...Object.fromEntries(WORDS.map((name) => [name, query.get(name) ?? ''])),
    ...Object.fromEntries(TIMES.map((name) => [name, pickedOf(instantOf(query.get(name)))])),
  }));
  if (typedIn !== zone) {
    setTypedIn(zone);
    const times = TIMES.map((name) => [name, pickedOf(instantOf(text[name] ?? '', typedIn), zone)]);
    setText({ ...text, ...Object.fromEntries(times) });
  }
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const next = new URLSearchParams(query);
    const asked = [
      ...WORDS.map((name) => [name, (text[name] ?? '').trim()] as const),
      ...TIMES.map((name) => [name, instantOf(text[name] ?? '') ?? ''] as const),
    ];
    for (const [name, value] of asked)
      if (value === '') next.delete(name);
      else next.set(name, value);
    setQuery(next);
  };
  const set = (name: string) => (value: string) => setText({ ...text, [name]: value });
  const named = zone === 'utc' ? ' (UTC)' : '';
  return (
    <form className="filters" onSubmit={apply}>
      <OrganizationChoice role="admin" />
      <TextField label="Patient" hint="a number, or the id" value={text.patient ?? ''} onChange={set('patient')} />
      <TextField label="By whom" hint="a name, key or client" value={text.agent ?? ''} onChange={set('agent')} />
      <TextField label={`From${named}`} type="datetime-local" value={text.from ?? ''} onChange={set('from')} />
      <TextField label={`Before${named}`} type="datetime-local" value={text.to ?? ''} onChange={set('to')} />
      <Checkbox
        label="Refusals only"
        checked={query.get('refused') === 'true'}
        onChange={(isChecked) => {
          const next = new URLSearchParams(query);
          if (isChecked) next.set('refused', 'true');
          else next.delete('refused');
          setQuery(next);
        }}
      />
      <Button look="primary" type="submit">
        Show
      </Button>
    </form>
  );
}

function Events({ path }: { readonly path: string }) {
  const pages = useInfiniteQuery({
    queryKey: ['read', path, 'pages'],
    initialPageParam: path,
    queryFn: async ({ pageParam, signal }) => (await ask<AuditBundle>('GET', pageParam, { signal })).data,
    // The link is absolute, as outer systems name this one; the page asks the gateway that served it.
    getNextPageParam: ({ link }) => {
      const next = link?.find(({ relation }) => relation === 'next')?.url;
      return next === undefined ? undefined : new URL(next).pathname + new URL(next).search;
    },
    // Each look is an entry of the trail: it is read when a person asks for it.
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  });
  if (pages.error !== null) return <RefusalNotice fault={pages.error} />;
  if (pages.data === undefined)
    return (
      <p role="status" className="hint">
        Reading …
      </p>
    );
  const events = pages.data.pages.flatMap(({ entry }) => (entry ?? []).flatMap(({ resource }) => resource ?? []));
  if (events.length === 0) return <p>The trail has nothing like that.</p>;
  return (
    <>
      <ol className="timeline">
        {events.map((event) => (
          <AuditLine key={event.id} event={event} />
        ))}
      </ol>
      {pages.hasNextPage ? (
        <div>
          <Button onPress={() => void pages.fetchNextPage()} isDisabled={pages.isFetchingNextPage}>
            Older entries
          </Button>
        </div>
      ) : (
        <p className="hint">There are no older entries.</p>
      )}
    </>
  );
}

function AuditLine({ event }: { readonly event: AuditEvent }) {
  const { who, from, what, resources, patient, query, refusal } = toldOf(event);
  const patientId = patient?.reference.slice('Patient/'.length) ?? '';
  return (
    <li className={refusal === null ? 'plain' : 'bad'}>
      <time dateTime={event.recorded}>{moment(event.recorded)}</time>
      <span>
        <strong>{who}</strong> {refusal === null ? what : `wanted: ${what}`}{' '}
        {resources.slice(0, MOST_TOLD).map((thing, place) => (
          <Fragment key={`${thing.reference} ${place}`}>
            {place === 0 ? '' : ', '}
            <Told thing={thing} />
          </Fragment>
        ))}
        {resources.length > MOST_TOLD ? ` and ${resources.length - MOST_TOLD} more` : ''}{' '}
        {refusal === null ? null : <Tag tone="bad">refused: {refusal}</Tag>}
      </span>
      <dl>
        {patient === null ? null : (
          <>
            <dt>patient</dt>
            <dd>
              <Named
                name={patient.name ?? patientId}
                id={patientId}
                to={`/search?${new URLSearchParams({ q: patientId }).toString()}`}
              />
            </dd>
          </>
        )}
        {query === null || query === '' ? null : (
          <>
            <dt>as asked</dt>
            <dd className="mono">{query}</dd>
          </>
        )}
        {from === null ? null : (
          <>
            <dt>from</dt>
            <dd className="mono">{from}</dd>
          </>
        )}
      </dl>
    </li>
  );
}

/** By its name; what has none is a link to all that happened to it, with its id behind. */
function Told({ thing }: { readonly thing: ToldThing }) {
  if (thing.name !== null) return <span title={thing.reference}>{resourceInWords(thing)}</span>;
  const [, id] = thing.reference.split('/');
  if (id === undefined) return <>{resourceInWords(thing)}</>;
  return (
    <Link to={pathWith('/search', { q: id })} title={id}>
      {typeInWords(thing.reference)}
    </Link>
  );
}
