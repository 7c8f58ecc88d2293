import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useSearchParams } from 'react-router';
import { ask } from '../../shared/api.js';
import { Button, TextField } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import type { Items, Message } from '../shared/answers.js';
import { OrganizationChoice, useChoice } from '../shared/organization-choice.js';
import { pathWith } from '../shared/reads.js';
import { MessageTable } from './message-table.js';
import { PageHeading } from '../shared/page-heading.js';

const PAGE = 200;
const STATES = {
  in: ['received', 'processed', 'ignored', 'failed', 'sealed', 'discarded', 'held'],
  out: ['waiting', 'delivered', 'parked', 'discarded', 'collapsed', 'moved'],
} as const;
/** Filters that are typed; each is a field of the query. */
const TYPED = [
  ['patient', 'Patient number'],
  ['order', 'Order number'],
  ['controlId', 'MSH-10'],
  ['error', 'Words of what is wrong'],
] as const;

/** HL7 v2 messages in and out; what is looked for stands in the address of the page. */
export function MessagesPage() {
  const [query, setQuery] = useSearchParams();
  const { organizationId, environment } = useChoice('integrator');
  const direction = query.get('direction') === 'out' ? 'out' : 'in';
  const filters = Object.fromEntries(
    ['state', 'patient', 'order', 'controlId', 'error', 'from', 'to', 'type', 'listenerId', 'destinationId'].flatMap(
      (name) => (query.get(name) === null ? [] : [[name, query.get(name)!]]),
    ),
  );
  const wish = { ...filters, direction, organizationId, environment, limit: PAGE };
  const pages = useInfiniteQuery({
    queryKey: ['read', 'messages', wish],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      (await ask<Items<Message>>('GET', pathWith('/admin/v1/hl7/messages', { ...wish, after: pageParam }), { signal }))
        .data.items,
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.id),
  });
  const set = (changes: Readonly<Record<string, string>>) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    setQuery(next);
  };
  const messages = pages.data?.pages.flat() ?? [];
  return (
    <div className="stack">
      <PageHeading title="HL7 messages" />
      <div className="row" role="group" aria-label="Direction">
        <Button look={direction === 'in' ? 'primary' : 'plain'} onPress={() => set({ direction: 'in', state: '' })}>
          In
        </Button>
        <Button look={direction === 'out' ? 'primary' : 'plain'} onPress={() => set({ direction: 'out', state: '' })}>
          Out
        </Button>
      </div>
      <div className="filters">
        <OrganizationChoice role="integrator" />
        <label className="field">
          <span className="label">State</span>
          <select
            className="input"
            value={query.get('state') ?? ''}
            onChange={(event) => set({ state: event.target.value })}
          >
            <option value="">any</option>
            {STATES[direction].map((state) => (
              <option key={state}>{state}</option>
            ))}
          </select>
        </label>
      </div>
      <TypedFilters key={query.toString()} query={query} onSet={set} />
      <RefusalNotice fault={pages.error} />
      {pages.isPending ? (
        <p role="status" className="hint">
          Reading …
        </p>
      ) : null}
      {pages.data !== undefined && messages.length === 0 ? <p>No message is like that.</p> : null}
      {messages.length === 0 ? null : <MessageTable messages={messages} />}
      {pages.hasNextPage ? (
        <Button onPress={() => void pages.fetchNextPage()} isDisabled={pages.isFetchingNextPage}>
          Older ones
        </Button>
      ) : null}
    </div>
  );
}

interface TypedFiltersProps {
  readonly query: URLSearchParams;
  readonly onSet: (changes: Readonly<Record<string, string>>) => void;
}

function TypedFilters({ query, onSet }: TypedFiltersProps) {
  const [texts, setTexts] = useState(Object.fromEntries(TYPED.map(([name]) => [name, query.get(name) ?? ''])));
  function apply(event: FormEvent) {
    event.preventDefault();
    onSet(Object.fromEntries(TYPED.map(([name]) => [name, (texts[name] ?? '').trim()])));
  }
  return (
    <form className="filters" onSubmit={apply}>
      {TYPED.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          value={texts[name] ?? ''}
          onChange={(text) => setTexts({ ...texts, [name]: text })}
        />
      ))}
      <Button type="submit">Filter</Button>
    </form>
  );
}
