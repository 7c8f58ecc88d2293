import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { ask } from '../../shared/api.js';
import type { Environment, ForReview } from '../shared/answers.js';
import { pathWith } from '../shared/reads.js';
import { useDesk, type Desk } from './use-desk.js';

const NEXT = 'next';
const REPORT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Opens the desk for the report that the address names by `open`, in whichever tab the link was followed; with `next` for the first
 * of the worklist. It is taken out of the address, so that the way back leads to the list.
 */
export function useOpened(organizationId: string, environment: Environment, list: 'worklist' | 'caseload'): Desk {
  const [query, setQuery] = useSearchParams();
  const desk = useDesk(organizationId, environment);
  const wanted = query.get('open');
  const opening = useRef<string | null>(null);
  useEffect(() => {
    if (wanted === null) {
      opening.current = null;
      return;
    }
    if (opening.current === wanted) return;
    opening.current = wanted;
    const rest = new URLSearchParams(query);
    rest.delete('open');
    setQuery(rest, { replace: true });
    if (REPORT_ID.test(wanted)) desk.open(wanted);
    if (wanted !== NEXT || list !== 'worklist') return;
    const path = pathWith(`/admin/v1/organizations/${organizationId}/worklist`, { environment, limit: 1 });
    void ask<{ readonly items: readonly ForReview[] }>('GET', path).then(
      ({ data: { items } }) => items[0] !== undefined && desk.open(items[0].reportId),
      // The list says why.
      () => undefined,
    );
  }, [wanted, query, setQuery, organizationId, environment, list, desk]);
  return desk;
}
