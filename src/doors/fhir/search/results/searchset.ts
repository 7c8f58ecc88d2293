import type {
  Bundle,
  BundleEntry,
  BundleLink,
  OperationOutcome,
  OperationOutcomeIssue,
  Resource,
} from '@medplum/fhirtypes';
import { PAGE_BYTES } from '../../../../standards/fhir/store/page-bytes.js';
import type { ReadSearch } from '../query/search-reader.js';
import { placeOf } from '../query/search-fault.js';
import type { Included } from './included-resources.js';
import { INCLUDE_LIMIT } from './included-resources.js';
import { subsetResource } from './subset-resource.js';

interface SearchsetParts {
  readonly base: string;
  readonly read: ReadSearch;
  readonly matches: readonly Resource[];
  readonly included: Included;
  readonly total: number | null;
  /** Cursors by relation; '' for a link without one. */
  readonly links: readonly (readonly [relation: string, cursor: string])[];
}

/** R4 search.html 3.1.1.3: the matches, their included resources, and an outcome about ignored parameters. */
export function toSearchset({ base, read, matches, included, total, links }: SearchsetParts): Bundle {
  const address = (resource: Resource): string => `${base}/${resource.resourceType}/${resource.id}`;
  const entry: BundleEntry[] = [
    ...matches.map((resource) => ({
      fullUrl: address(resource),
      resource: subsetResource(resource, read.options),
      search: { mode: 'match' as const },
    })),
    // `_elements` applies to matches only (R4 search.html 3.1.1.5.8).
    ...included.resources.map((resource) => ({
      fullUrl: address(resource),
      resource: subsetResource(resource, { ...read.options, elements: null }),
      search: { mode: 'include' as const },
    })),
    ...outcomeOf(read, included),
  ];
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    ...(total === null ? {} : { total }),
    link: links.map(([relation, cursor]): BundleLink => ({ relation, url: linkTo(base, read, cursor) })),
    ...(entry.length === 0 ? {} : { entry }),
  };
}

/** The search as it counted: what was left out is not in it. */
function linkTo(base: string, { type, used }: ReadSearch, cursor: string): string {
  const query = new URLSearchParams(
    [...used, ...(cursor === '' ? [] : [['_cursor', cursor] as const])].map(([name, value]): [string, string] => [
      name,
      value,
    ]),
  ).toString();
  return query === '' ? `${base}/${type}` : `${base}/${type}?${query}`;
}

function outcomeOf({ ignored }: ReadSearch, { isCutOff }: Included): BundleEntry[] {
  const issue: OperationOutcomeIssue[] = ignored.map(({ name, why }) => ({
    severity: 'warning',
    code: 'not-supported',
    details: { text: `${placeOf(name)} ${why} It was left out.` },
    expression: [placeOf(name)],
  }));
  if (isCutOff)
    issue.push({
      severity: 'warning',
      code: 'too-costly',
      details: {
        text: `More than ${INCLUDE_LIMIT} resources, or ${PAGE_BYTES / 1024 / 1024} MiB of them, belong to this page. Ask for a smaller one with _count to have them all.`,
      },
    });
  if (issue.length === 0) return [];
  const outcome: OperationOutcome = { resourceType: 'OperationOutcome', issue };
  return [{ resource: outcome, search: { mode: 'outcome' } }];
}
