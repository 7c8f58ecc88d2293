import { useSearchParams } from 'react-router';
import type { Delivery, Items } from '../shared/answers.js';
import { LongTable, type Column } from '../shared/long-table.js';
import { OrganizationChoice, useChoice } from '../shared/organization-choice.js';
import { Read } from '../shared/page-state.js';
import { pathWith, useRead } from '../shared/reads.js';
import { StateTag } from '../shared/tag.js';
import { moment } from '../shared/zone.js';
import { PageHeading } from '../shared/page-heading.js';

const STATES = ['waiting', 'delivered', 'parked', 'discarded', 'collapsed', 'moved'];
const MOST = 1000;
const COLUMNS: readonly Column<Delivery>[] = [
  { title: 'Made', width: '190px', cell: ({ createdAt }) => moment(createdAt) },
  { title: 'State', width: '120px', cell: ({ state }) => <StateTag state={state} /> },
  { title: 'To', width: '220px', cell: ({ endpointName }) => endpointName ?? 'removed' },
  { title: 'By', width: '110px', cell: ({ exit }) => exit },
  { title: 'What', width: '180px', cell: ({ type }) => type },
  { title: 'Attempts', width: '90px', cell: ({ attempts }) => attempts },
  { title: 'Last answer', width: 'minmax(200px, 1fr)', cell: ({ fault }) => fault ?? '' },
];

/** Deliveries of every exit, newest first. */
export function DeliveriesPage() {
  const [query, setQuery] = useSearchParams();
  const { organizationId, environment } = useChoice();
  const state = query.get('state') ?? undefined;
  const endpointId = query.get('endpointId') ?? undefined;
  const read = useRead<Items<Delivery>>(
    pathWith('/admin/v1/deliveries', { organizationId, environment, state, endpointId, limit: MOST }),
  );
  return (
    <div className="stack">
      <PageHeading title="Deliveries" />
      <div className="filters">
        <OrganizationChoice />
        <label className="field">
          <span className="label">State</span>
          <select
            className="input"
            value={state ?? ''}
            onChange={(event) => {
              const next = new URLSearchParams(query);
              if (event.target.value === '') next.delete('state');
              else next.set('state', event.target.value);
              setQuery(next);
            }}
          >
            <option value="">any</option>
            {STATES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      </div>
      <Read read={read}>
        {({ items }) =>
          items.length === 0 ? (
            <p>No delivery is like that.</p>
          ) : (
            <LongTable
              label="Deliveries"
              columns={COLUMNS}
              rows={items}
              keyOf={({ id }) => id}
              nameOf={({ type, state: now, endpointName }) =>
                `${type} ${now}, to ${endpointName ?? 'something removed'}`
              }
              hrefOf={({ id }) => `/deliveries/${id}`}
            />
          )
        }
      </Read>
    </div>
  );
}
