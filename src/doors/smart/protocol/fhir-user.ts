import { fhirBaseOf } from '../../../core/ehrs/ehr-addresses.js';
import type { Ehr } from '../../../core/ehrs/ehr.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { readPerson } from '../../../core/tenancy/person.js';
import { badAnswer } from '../../../ehrs/index.js';

/** A resource of the EHR: `Practitioner/5`. */
export interface EhrReference {
  readonly type: string;
  readonly id: string;
}

const RELATIVE = /^([A-Z][A-Za-z]{1,63})\/(?!\.{1,2}$)([A-Za-z0-9.-]{1,64})$/;
const CLINICIANS = ['Practitioner', 'PractitionerRole'];

/** A reference, relative or below the EHR's own base; null: anything else. */
export function ownReference({ fhirBaseUrl }: Pick<Ehr, 'fhirBaseUrl'>, text: string): EhrReference | null {
  const isAbsolute = /^https?:\/\//i.test(text);
  const spelled = isAbsolute ? fhirBaseOf(text) : text;
  if (isAbsolute && !spelled.startsWith(`${fhirBaseUrl}/`)) return null;
  const found = RELATIVE.exec(isAbsolute ? spelled.slice(fhirBaseUrl.length + 1) : spelled);
  return found === null ? null : { type: found[1]!, id: found[2]! };
}

/** The clinician that `fhirUser` names. `launch.person` for a patient, a relative or nobody; `launch.answer` for somebody at another server. */
export function clinicianOf(ehr: Pick<Ehr, 'fhirBaseUrl'>, claim: unknown): EhrReference {
  if (claim === undefined)
    throw new SuturaError('launch.person', {
      detail: 'The EHR does not say who is logged in there (fhirUser). Have it grant the scopes openid and fhirUser.',
    });
  const user = typeof claim === 'string' ? ownReference(ehr, claim) : null;
  if (user === null || readPerson(`${user.type}/${user.id}`) === null)
    throw badAnswer('fhirUser of the id_token is no resource of the registered FHIR server.');
  if (!CLINICIANS.includes(user.type)) throw new SuturaError('launch.person');
  return user;
}
