import type { AuditEvent, Reference } from '@medplum/fhirtypes';
import type { AuditRecord } from '../../../core/audit/access.js';
import { Names, type NameDirectory } from '../../../core/organizations/name-directory.js';

/** What the rows of a page are about, as the organization calls it. */
export interface EventNames {
  readonly things: Names;
  /** Numbers of patients, which admins of the organization may see. */
  readonly patients: Names;
}

export const UNNAMED: EventNames = { things: new Names([]), patients: new Names([]) };

/** Of keys that were used, of what they were used on, and of whose data it was; two statements for a page. */
export async function namesFor(records: readonly AuditRecord[], directory: NameDirectory): Promise<EventNames> {
  const [things, patients] = await Promise.all([
    directory.namesOf(
      records.flatMap(({ keyId, resources }) => [keyId, ...resources.flatMap((one) => one.split('/')[1] ?? [])]),
    ),
    directory.patientNumbers(records.flatMap(({ patientId }) => patientId ?? [])),
  ]);
  return { things, patients };
}

/** With `display` beside each reference and key that has a name in the organization; ids stay as they are. */
export function withNames(event: AuditEvent, organizationId: string, { things, patients }: EventNames): AuditEvent {
  const shown = (what: Reference | undefined): Reference | undefined => {
    const id = what?.reference?.split('/')[1] ?? what?.identifier?.value ?? null;
    const isPatient = what?.reference?.startsWith('Patient/') === true;
    const name = (isPatient ? patients : things).nameOf(id, organizationId);
    return what === undefined || name === null ? what : { ...what, display: name };
  };
  return {
    ...event,
    agent: event.agent.map((one) => ({ ...one, who: shown(one.who) })),
    ...(event.entity === undefined
      ? {}
      : {
          entity: event.entity.map((one) => ({ ...one, ...(one.what === undefined ? {} : { what: shown(one.what) }) })),
        }),
  } as AuditEvent;
}
