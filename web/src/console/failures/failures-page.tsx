import { useMemo } from 'react';
import { Link } from 'react-router';
import { useQueryClient } from '@tanstack/react-query';
import type { FailureGroup, Failures } from '../shared/answers.js';
import { Named } from '../shared/named.js';
import { OrganizationChoice, useChoice } from '../shared/organization-choice.js';
import { PageHeading } from '../shared/page-heading.js';
import { Read } from '../shared/page-state.js';
import { pathWith, useRead } from '../shared/reads.js';
import { useQueryField } from '../shared/use-query-field.js';
import { moment } from '../shared/zone.js';
import { AllAgain } from './all-again.js';
import './failures.css';
import { FAILURE_KIND_WORDS, placeOf, RANGES } from './failure-words.js';

const HOUR_MS = 3_600_000;
const DEFAULT_HOURS = 7 * 24;

/** What failed and is not put right, by cause: how many, since when, and all of one cause done again. */
export function FailuresPage() {
  const { organizationId, environment } = useChoice('integrator');
  const [chosen, choose] = useQueryField('hours');
  const hours = RANGES.find(([each]) => String(each) === chosen)?.[0] ?? DEFAULT_HOURS;
  // Of the moment at which the page was opened or the range chosen: what is read again is the same range, and what came in meanwhile.
  const from = useMemo(() => new Date(Date.now() - hours * HOUR_MS).toISOString(), [hours]);
  const read = useRead<Failures>(pathWith('/admin/v1/failures', { organizationId, environment, from }));
  const queries = useQueryClient();
  return (
    <div className="stack">
      <PageHeading title="Failures by cause" />
      <p className="hint">
        Messages that were refused, analyses that failed, and what is parked for receivers, as long as nothing has put
        them right. What waits for a receiver that cannot be reached goes on by itself:{' '}
        <Link to="/connections">Connections</Link> has it.
      </p>
      <div className="filters">
        <OrganizationChoice role="integrator" />
        <label className="field">
          <span className="label">In</span>
          <select className="input" value={String(hours)} onChange={(event) => choose(event.target.value)}>
            {RANGES.map(([each, words]) => (
              <option key={each} value={each}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="button"
          onClick={() => void queries.invalidateQueries({ queryKey: ['read'] })}
          disabled={read.isFetching}
        >
          Look again
        </button>
      </div>
      <Read read={read}>
        {(failures) =>
          failures.items.length === 0 ? (
            <p>Nothing that failed in this time waits to be put right.</p>
          ) : (
            <Table failures={failures} />
          )
        }
      </Read>
    </div>
  );
}

function Table({ failures: { items, from, to } }: { readonly failures: Failures }) {
  return (
    <>
      <p className="hint">
        {items.reduce((sum, { count }) => sum + count, 0)} in all, by {items.length} causes, from {moment(from)} to{' '}
        {moment(to)}.
      </p>
      <div className="wide">
        <table className="plain stacked failures">
          <thead>
            <tr>
              <th scope="col">How many</th>
              <th scope="col">What</th>
              <th scope="col">Why</th>
              <th scope="col">First and last</th>
              <th scope="col">What to do</th>
            </tr>
          </thead>
          <tbody>
            {items.map((group) => (
              <Row key={keyOf(group)} group={group} from={from} to={to} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

const keyOf = ({ kind, organizationId, environment, subjectId, cause }: FailureGroup): string =>
  [kind, organizationId, environment, subjectId, cause].join(' ');

interface RowProps {
  readonly group: FailureGroup;
  readonly from: string;
  readonly to: string;
}

function Row({ group, from, to }: RowProps) {
  const { kind, count, words, cause, nextStep, firstAt, lastAt, organizationName, environment, subjectId } = group;
  return (
    <tr>
      <td data-label="How many">
        <strong>{count}</strong>
      </td>
      <td data-label="What">
        {FAILURE_KIND_WORDS[kind]}{' '}
        {subjectId === null ? null : (
          <Named name={group.subjectName} id={subjectId} to={pathWith('/connections', { shown: subjectId })} />
        )}
        <p className="hint">{[organizationName, environment].filter((part) => part !== null).join(', ')}</p>
      </td>
      <td data-label="Why">
        <strong>{words}</strong> <code>{cause}</code>
        <p className="hint">{nextStep}</p>
      </td>
      <td data-label="First and last">
        {moment(firstAt)}
        {count === 1 ? null : (
          <>
            <br />
            {moment(lastAt)}
          </>
        )}
      </td>
      <td data-label="What to do">
        <div className="row">
          <Link to={placeOf(group, { from, to })}>{kind === 'job' ? 'See the last one' : 'See them'}</Link>
          {group.oneByOne ? (
            <span className="hint">Open each: none is done again together.</span>
          ) : (
            <AllAgain group={group} from={from} to={to} />
          )}
        </div>
      </td>
    </tr>
  );
}
