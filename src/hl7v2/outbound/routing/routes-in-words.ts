import type { Routes } from '../hl7-destination.js';

/** What a destination takes, for a person who has just made or changed it. */
export function routesInWords({ sources, facilities, authorities, statuses }: Routes): string {
  const limits = [
    inWords('ordered through', sources),
    inWords('ordered by the facility', facilities),
    inWords('of patients numbered by', authorities),
    inWords('that are', statuses),
  ].filter((limit) => limit !== '');
  return limits.length === 0 ? 'every result of the organization and environment' : `results ${limits.join(', ')}`;
}

function inWords(relation: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${relation} ${names.join(' or ')}`;
}
