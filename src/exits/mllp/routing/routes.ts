import type { Patient } from '@medplum/fhirtypes';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import type { Hl7Destination, Routes, ResultOrigin } from '../settings/hl7-destination.js';
import { AUTHORITIES, namedBySender } from '../settings/authorities.js';

/** The facts of a result that routes decide by, besides its status. */
export interface RoutedResult {
  readonly origin: ResultOrigin;
  /** Assigning authorities of the patient, by every name in use. */
  readonly authorities: ReadonlySet<string>;
}

/** Whether a destination takes results of this origin and patient. Pure. */
export function takes(
  { sources, facilities, authorities }: Routes,
  { origin, authorities: known }: RoutedResult,
): boolean {
  const { door, listenerId, facility } = origin;
  return (
    (sources.length === 0 || sources.includes(door) || (listenerId !== null && sources.includes(listenerId))) &&
    (facilities.length === 0 || (facility !== null && facilities.includes(facility))) &&
    (authorities.length === 0 || authorities.some((authority) => known.has(authority)))
  );
}

/**
 * The versions of one report that a destination takes by their status; the withdrawal of a version that was sent is
 * always taken. Oldest first.
 */
export function takenVersions<T extends Pick<ClinicalReport, 'status'>>(
  { statuses }: Routes,
  versions: readonly T[],
): readonly T[] {
  if (statuses.length === 0) return versions;
  let told = false;
  return versions.filter(({ status }) => {
    if (status === 'entered-in-error') return told;
    const isTaken = statuses.includes(status === 'preliminary' ? 'preliminary' : 'final');
    told ||= isTaken;
    return isTaken;
  });
}

/**
 * The versions of one report that a destination is sent. Without `resendOnMerge` it hears nothing of versions that only moved to a merged patient's
 * surviving record: the sender of the merge knows.
 */
export function versionsFor(
  { settings: { routes, resendOnMerge } }: Pick<Hl7Destination, 'settings'>,
  versions: readonly ClinicalReport[],
): readonly ClinicalReport[] {
  return takenVersions(routes, resendOnMerge ? versions : versions.filter(({ reason }) => reason !== 'moved'));
}

/**
 * Every name of the authorities of a patient's numbers: from the order's raw PID, the record, and the caller's
 * identifier.
 */
export function authoritiesOf(
  pid: string,
  record: Patient | null,
  identifier: { readonly system: string } | null,
): Set<string> {
  const ofPid = (pid.split('|')[3] ?? '')
    .split('~')
    .flatMap((repetition) => (repetition.split('^')[3] ?? '').split('&').slice(0, 2));
  const systems = [
    ...(record?.identifier ?? []).filter(({ use }) => use !== 'old').map(({ system }) => system ?? ''),
    identifier?.system ?? '',
  ];
  return new Set(
    [
      ...ofPid,
      ...systems.flatMap((system) => [
        system,
        system.replace(/^urn:(?:oid|uuid):/, ''),
        namedBySender(system, AUTHORITIES) ?? '',
      ]),
    ].filter((name) => name !== ''),
  );
}

/** A sentence on what a destination takes, for the person who has just created or changed it. */
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
