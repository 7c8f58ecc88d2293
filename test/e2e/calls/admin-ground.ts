import type { Answer } from '../../support/api-client.js';
import type { ClientKey } from '../../support/smart-client.js';
import { NOBODY } from './command-row.js';
import { keyed, type Ask, type RouteGround, type RouteRow } from './route-row.js';

/** A ground with an organization one of whose photos was analysed; the rest is made by the rows. */
export interface AdminGround extends RouteGround {
  readonly organizationId: string;
  readonly imageId: string;
  readonly failedJobId: string;
  readonly reportId: string;
  readonly heldId: string;
  readonly clientKey: ClientKey;
  readonly made: AdminMade;
}

export interface AdminMade {
  organizationId: string;
  keyId: string;
  clientId: string;
  userId: string;
  colleagueId: string;
  setupCode: string;
  cookie: string;
  csrfToken: string;
  secret: string;
}

export type AdminRow = RouteRow<AdminGround>;

export const PATIENT = 'MRN-4711';

/** With the admin token. */
export const ofAdmin = ({ gateway }: AdminGround, path: string, json?: unknown): Ask =>
  keyed(gateway.adminToken, `/admin/v1${path}`, json);
export const byAdmin = (path: string | ((ground: AdminGround) => string), json?: unknown) => (ground: AdminGround) =>
  ofAdmin(ground, typeof path === 'string' ? path : path(ground), json);
export const unknown = (path: string, code: string, json?: unknown): AdminRow['refused'] => ({
  ask: byAdmin(path, json),
  status: 404,
  code,
});
export const closed = (path: string): AdminRow['refused'] => ({
  ask: () => ({ path: `/admin/v1${path}` }),
  status: 401,
  code: 'auth.missing',
});
export const inOrganization = (path: string) => (ground: AdminGround) =>
  `/organizations/${ground.organizationId}${path}`;
export const noOrganization = (path: string, json?: unknown) =>
  unknown(`/organizations/${NOBODY}${path}`, 'organization.not_found', json);

export const read = async (ground: AdminGround, path: string): Promise<Answer> => ground.gateway.admin('GET', path);
