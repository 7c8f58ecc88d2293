import type { Ehr } from '../core/ehrs/ehr.js';

/** What an EHR is told of this service, to the character. */
export interface OwnAddresses {
  /** What it opens from a chart; `iss` says who opens it. */
  readonly launch: string;
  /** Where its authorization server sends the browser back: of this registration alone. */
  readonly redirect: string;
  /** The public keys of the organization. */
  readonly keys: string;
  /** Where CDS Hooks are. */
  readonly cards: string;
}

/** `publicUrl`: of this service, without a slash at the end. */
export function ownAddresses(
  publicUrl: string,
  { id, organizationId }: Pick<Ehr, 'id' | 'organizationId'>,
): OwnAddresses {
  return {
    launch: `${publicUrl}/launch`,
    redirect: redirectAddress(publicUrl, id),
    keys: `${publicUrl}/organizations/${organizationId}/jwks.json`,
    cards: `${publicUrl}/cds-services`,
  };
}

/** Where the browser comes back that was sent out for this registration. */
export function redirectAddress(publicUrl: string, ehrId: string): string {
  return `${publicUrl}/launch/callback/${encodeURIComponent(ehrId)}`;
}
