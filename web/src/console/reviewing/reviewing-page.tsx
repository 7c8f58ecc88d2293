import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ask } from '../../shared/api.js';
import { Button } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import type { Concern, Environment } from '../shared/answers.js';
import { LongTable, type Column } from '../shared/long-table.js';
import { OrganizationChoice, useChoice } from '../shared/organization-choice.js';
import { pathWith } from '../shared/reads.js';
import { useQueryField } from '../shared/use-query-field.js';
import { CONCERN_WORDS } from './concern-words.js';
import { useOpened } from './use-opened.js';
import { PageHeading } from '../shared/page-heading.js';

interface Listed {
  readonly reportId: string;
  readonly patient: { readonly name: string | null; readonly number: string | null };
}

interface ListedPage<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

interface ReviewingPageProps<Row extends Listed> {
  readonly title: string;
  readonly hint: string;
  readonly list: 'worklist' | 'caseload';
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly nothing: (environment: Environment) => string;
}

/** One of the two lists of a reviewer: an organization, an environment, a page at a time; a row is a link to the review desk. */
export function ReviewingPage<Row extends Listed>({ title, hint, list, ...table }: ReviewingPageProps<Row>) {
  const { organizationId, environment = 'live' } = useChoice('reviewer');
  const [concern, choose] = useQueryField('concern');
  return (
    <div className="stack">
      <PageHeading title={title} />
      <p className="hint">{hint} Each look at this list is in the audit trail.</p>
      <div className="filters">
        <OrganizationChoice role="reviewer" />
        <label className="field">
          <span className="label">Concern</span>
          <select className="input" value={concern} onChange={(event) => choose(event.target.value)}>
            <option value="">any</option>
            {(Object.entries(CONCERN_WORDS) as [Concern, string][]).map(([each, words]) => (
              <option key={each} value={each}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
      {organizationId === undefined ? (
        <p className="notice">Choose an organization: the list is read one organization at a time.</p>
      ) : (
        <List
          {...table}
          path={`/admin/v1/organizations/${organizationId}/${list}`}
          list={list}
          label={title}
          scope={{ organizationId, environment, concern }}
        />
      )}
    </div>
  );
}

interface ListProps<Row extends Listed> extends Pick<
  ReviewingPageProps<Row>,
  'columns' | 'keyOf' | 'nothing' | 'list'
> {
  readonly label: string;
  readonly path: string;
  readonly scope: { readonly organizationId: string; readonly environment: Environment; readonly concern: string };
}

function List<Row extends Listed>({ label, list, path, scope, columns, keyOf, nothing }: ListProps<Row>): ReactNode {
  const { organizationId, environment, concern } = scope;
  const desk = useOpened(organizationId, environment, list);
  const read = useInfiniteQuery({
    queryKey: ['read', path, environment, concern],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) =>
      (await ask<ListedPage<Row>>('GET', pathWith(path, { environment, concern, cursor }), { signal })).data,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  if (read.error !== null) return <RefusalNotice fault={read.error} />;
  if (read.data === undefined) return <p>…</p>;
  const rows = read.data.pages.flatMap(({ items }) => items);
  if (rows.length === 0)
    return (
      <p>
        {nothing(environment)}
        {concern === '' ? '' : ' Other concerns are not shown.'}
      </p>
    );
  return (
    <>
      <p className="hint">
        Of the {environment} environment{environment === 'live' ? '' : ': no patients'}. A row opens the review desk.
      </p>
      <LongTable
        label={label}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        nameOf={({ patient }) => patient.name ?? patient.number ?? 'Nobody named a patient'}
        hrefOf={({ reportId }) => pathWith(`/${list}`, { organizationId, environment, open: reportId })}
      />
      {desk.fault === null ? null : <RefusalNotice fault={desk.fault} />}
      {read.hasNextPage ? (
        <Button onPress={() => void read.fetchNextPage()} isDisabled={read.isFetchingNextPage}>
          Show more
        </Button>
      ) : (
        <p className="hint">That is all: {rows.length}.</p>
      )}
    </>
  );
}
