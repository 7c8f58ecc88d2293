import type { HeldItem, HeldReason, Items } from '../shared/answers.js';
import { LongTable, type Column } from '../shared/long-table.js';
import { OrganizationChoice, useChoice } from '../shared/organization-choice.js';
import { Read } from '../shared/page-state.js';
import { pathWith, useRead } from '../shared/reads.js';
import { useQueryField } from '../shared/use-query-field.js';
import { Tag } from '../shared/tag.js';
import { moment } from '../shared/zone.js';
import { REASON_WORDS } from './held-words.js';
import { PageHeading } from '../shared/page-heading.js';

const MOST = 1000;
const COLUMNS: readonly Column<HeldItem>[] = [
  { title: 'Since', width: '220px', cell: ({ since }) => moment(since) },
  { title: 'Why', width: 'minmax(280px, 1fr)', cell: ({ reason }) => REASON_WORDS[reason] },
  { title: 'Door', width: '90px', cell: ({ door }) => door ?? 'several' },
  { title: 'In', width: '80px', cell: ({ environment }) => environment },
  {
    title: 'For whom',
    width: '190px',
    cell: ({ actions }) => (actions.length === 0 ? 'goes on by itself' : <Tag tone="warn">a person decides</Tag>),
  },
];

/** What waits for a person in one organization, oldest first. */
export function HeldPage() {
  const { organizationId, environment } = useChoice();
  const [reason, choose] = useQueryField('reason');
  return (
    <div className="stack">
      <PageHeading title="What waits for a person" />
      <p className="hint">
        What was taken and cannot be carried through by itself, oldest first. Each look at this list is in the audit
        trail.
      </p>
      <div className="filters">
        <OrganizationChoice />
        <label className="field">
          <span className="label">Why</span>
          <select className="input" value={reason} onChange={(event) => choose(event.target.value)}>
            <option value="">any reason</option>
            {Object.entries(REASON_WORDS).map(([each, words]) => (
              <option key={each} value={each}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
      {organizationId === undefined ? (
        <p className="notice">Choose an organization: what waits is read one organization at a time.</p>
      ) : (
        <HeldTable organizationId={organizationId} environment={environment} reason={reason} />
      )}
    </div>
  );
}

interface HeldTableProps {
  readonly organizationId: string;
  readonly environment: HeldItem['environment'] | undefined;
  readonly reason: HeldReason | string;
}

function HeldTable({ organizationId, environment, reason }: HeldTableProps) {
  const path = `/admin/v1/organizations/${encodeURIComponent(organizationId)}/held`;
  const read = useRead<Items<HeldItem> & { readonly nextCursor: string | null }>(
    pathWith(path, { environment, reason, limit: MOST }),
  );
  return (
    <Read read={read}>
      {({ items, nextCursor }) =>
        items.length === 0 ? (
          <p>Nothing waits{reason === '' ? '' : ' for this reason'}.</p>
        ) : (
          <>
            <LongTable
              label="What waits for a person"
              columns={COLUMNS}
              rows={items}
              keyOf={({ id }) => id}
              nameOf={(item) => `${REASON_WORDS[item.reason]}, since ${moment(item.since)}`}
              hrefOf={({ id }) => `/held/${organizationId}/${id}`}
            />
            {nextCursor === null ? null : <p className="hint">These are the oldest {MOST}; more wait behind them.</p>}
          </>
        )
      }
    </Read>
  );
}
