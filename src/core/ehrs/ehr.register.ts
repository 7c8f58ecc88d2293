import type { Environment } from '../tenancy/tenant.js';
import type { Ehr, EhrChange } from './ehr.js';

/** The registrations of EHRs. Its secrets are kept encrypted where the installation has a key. */
export abstract class EhrRegister {
  /** For launches. null for unknown, malformed, another organization's. A secret of the launch that cannot be read is thrown, the token of the push is null. */
  abstract find(organizationId: string, ehrId: string): Promise<Ehr | null>;
  /** As `find`, for those who show, change or remove it: any secret that cannot be read is null. */
  abstract registered(organizationId: string, ehrId: string): Promise<Ehr | null>;
  /** As `find`, of whichever organization: an address names one registration at most. Compared as `fhirBaseOf` writes it. */
  abstract byFhirBaseUrl(url: string): Promise<Ehr | null>;
  /** Of whichever organization, to the character. A secret that cannot be read is null. */
  abstract byCdsIssuer(issuer: string): Promise<Ehr | null>;
  /** Oldest first; of both environments where none is named. A secret that cannot be read is null. */
  abstract list(organizationId: string, environment?: Environment): Promise<Ehr[]>;
  /** Those of all organizations that results are filed in, oldest first: for senders and operators alone. As `list`. */
  abstract pushing(): Promise<Ehr[]>;
  /** `ehr.taken`: its base or its issuer is registered, here or by another organization; `ehr.too_many`. */
  abstract add(ehr: Ehr): Promise<void>;
  /**
   * The registration as `change` makes it of the present one, which is locked meanwhile. A secret that cannot be read is null, and stays as it is kept
   * where the change leaves it null and its use stays. Desks and launches that it opened end with it where
   * `isOpenedOtherwise`. `ehr.not_found`, `ehr.taken`, `ehr.filed` where what was filed would be lost (`losesFiled`), and what `change` throws.
   */
  abstract change(organizationId: string, ehrId: string, change: (present: Ehr) => EhrChange): Promise<Ehr>;
  /** With the desks and launches that it opened. False: there was none. */
  abstract remove(organizationId: string, ehrId: string): Promise<boolean>;
}
