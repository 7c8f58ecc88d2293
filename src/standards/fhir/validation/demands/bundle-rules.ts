import type { Bundle, BundleEntry } from '@medplum/fhirtypes';
import type { Demand } from './demand.js';
import { isAbsolute } from './primitive-forms.js';

/** Types of Bundles whose entries need not say where their resources are (R4 bundle.html, 2.36.4). */
const UNNAMED: readonly unknown[] = ['transaction', 'batch', 'transaction-response', 'batch-response'];
/** The end of the address of a resource on a server. */
const RESTFUL = /^https?:\/\/.*\/([A-Z][A-Za-z]+)\/([A-Za-z\d.-]{1,64})$/;

/** Rules of R4's text for Bundles. */
export const BUNDLE_RULES: Readonly<Partial<Record<string, readonly Demand[]>>> = {
  Bundle: [
    {
      check: (value) =>
        UNNAMED.includes((value as Bundle).type) ||
        every(value, ({ resource, fullUrl }) => resource === undefined || fullUrl !== undefined),
      code: 'required',
      details: 'Each entry has a fullUrl, but in transactions and batches.',
      member: 'entry',
    },
    {
      check: (value) => every(value, ({ fullUrl }) => fullUrl === undefined || isAbsolute(fullUrl)),
      code: 'value',
      details: 'The fullUrl of an entry is absolute.',
      member: 'entry',
    },
    {
      check: (value) => every(value, ({ fullUrl, resource }) => isConsistent(fullUrl, resource)),
      code: 'value',
      details: 'A fullUrl that is an address on a server ends with the type and the id of its resource.',
      member: 'entry',
    },
  ],
};

function every(bundle: unknown, holds: (entry: BundleEntry) => boolean): boolean {
  const { entry } = bundle as Bundle;
  return !Array.isArray(entry) || entry.every(holds);
}

function isConsistent(fullUrl: string | undefined, resource: BundleEntry['resource']): boolean {
  const found = RESTFUL.exec(fullUrl ?? '');
  if (found === null || resource?.id === undefined) return true;
  return found[1] === resource.resourceType && found[2] === resource.id;
}
