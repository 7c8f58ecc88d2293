import type { Ehr, EhrCds, EhrLaunch, EhrPush } from '../../core/ehrs/ehr.js';
import type { SecretEncryption } from '../../platform/database/secret-encryption.js';
import { toJsonb } from '../../platform/database/statements.js';

export const EHR_COLUMNS = `id, organization_id as "organizationId", environment, name, fhir_base_url as "fhirBaseUrl", origins,
  patient_system as "patientSystem", launch, launch_secret as "launchSecret", push, push_token as "pushToken", cds,
  frame_ancestors as "frameAncestors", created_at as "createdAt", updated_at as "updatedAt"`;

export interface EhrRow extends Omit<Ehr, 'launch' | 'push' | 'cds'> {
  readonly launch: Omit<EhrLaunch, 'clientSecret'> | null;
  /** Encrypted where the installation has a key, as pushToken. */
  readonly launchSecret: string | null;
  readonly push: Omit<EhrPush, 'token'> | null;
  readonly pushToken: string | null;
  readonly cds: EhrCds | null;
}

/** `onUnreadable`: what stands for a secret that cannot be read (`storage.key_missing`, `storage.altered`), or is thrown. */
export function toEhr(
  { launch, launchSecret, push, pushToken, ...row }: EhrRow,
  encryption: SecretEncryption,
  onUnreadable: (fault: unknown, use: SecretUse) => null,
): Ehr {
  const opened = (kept: string | null, use: SecretUse): string | null => {
    if (kept === null) return null;
    try {
      return encryption.open(kept, boundTo(row.id, use));
    } catch (fault) {
      return onUnreadable(fault, use);
    }
  };
  return {
    ...row,
    launch: launch === null ? null : { ...launch, clientSecret: opened(launchSecret, 'launch') },
    push: push === null ? null : { ...push, token: opened(pushToken, 'push') },
  };
}

/** Secrets as they are kept, of a registration that is changed. */
export type KeptSecrets = Pick<EhrRow, 'launchSecret' | 'pushToken'>;

/** Those that could not be read, and that the change neither replaces nor takes away: they stay as they are kept. */
export function unreadSecrets(row: KeptSecrets, present: Ehr, changed: Ehr): KeptSecrets {
  const hasLaunch = present.launch?.clientSecret === null && changed.launch?.clientType === 'symmetric';
  const hasPush = present.push?.token === null && changed.push?.auth === 'bearer';
  return { launchSecret: hasLaunch ? row.launchSecret : null, pushToken: hasPush ? row.pushToken : null };
}

const NONE: KeptSecrets = { launchSecret: null, pushToken: null };

/** updated_at and what follows it, in the order of both statements. `kept`: stand in the place of secrets that are null. */
export function toEhrValues(ehr: Ehr, encryption: SecretEncryption, kept = NONE): readonly unknown[] {
  const { clientSecret = null, ...launch } = ehr.launch ?? {};
  const { token = null, ...push } = ehr.push ?? {};
  const sealed = (secret: string | null, use: SecretUse): string | null =>
    secret === null ? null : encryption.seal(secret, boundTo(ehr.id, use));
  return [
    ehr.updatedAt,
    ehr.name,
    ehr.fhirBaseUrl,
    ehr.origins,
    ehr.patientSystem,
    ehr.launch === null ? null : toJsonb(launch),
    sealed(clientSecret, 'launch') ?? kept.launchSecret,
    ehr.push === null ? null : toJsonb(push),
    sealed(token, 'push') ?? kept.pushToken,
    toJsonb(ehr.cds),
    ehr.cds?.issuer ?? null,
    ehr.frameAncestors,
  ];
}

export type SecretUse = 'launch' | 'push';

/** One registration's secret cannot stand for another's, nor for its other one. */
function boundTo(ehrId: string, use: SecretUse): string {
  return `ehr ${ehrId} ${use}`;
}
