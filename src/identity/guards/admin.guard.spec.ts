import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Role } from '../../core/tenancy/roles.js';
import type { UserRecord } from '../../core/users/user.js';
import { csrfTokenOf } from '../sessions/session-cookie.js';
import type { AdminNeed } from './admin-access.js';
import { ADMIN_NEED, AdminGuard } from './admin.guard.js';

const [OWN, OTHER] = ['organization-own', 'organization-other'];
const OWNERS: Readonly<Record<string, string>> = { l1: OWN, d1: OWN, d2: OTHER };
const SEND_TO: AdminNeed = {
  kind: 'role',
  role: 'integrator',
  of: { in: 'body', fields: { listener: 'listenerId', destination: 'destinationId' } },
};

/** Lets a user with this role in their own organization alone ask for what a route names in its body. */
function ask(role: Role, body: object, change: Partial<UserRecord> = {}): Promise<boolean> {
  const user = {
    id: 'u1',
    name: 'nora',
    displayName: 'Nora Field',
    isInstallationAdmin: false,
    disabledAt: null,
    roles: [{ organizationId: OWN, role }],
    ...change,
  };
  const parts = [
    { admin: {} },
    {},
    {},
    { sessionOf: () => Promise.resolve({ user, expiresAt: new Date() }) },
    { ownerOf: (_kind: string, id: string) => Promise.resolve(OWNERS[id] ?? null) },
    { url: 'http://sutura.example' },
  ];
  const guard = new AdminGuard(...(parts as unknown as ConstructorParameters<typeof AdminGuard>));
  const handler = (): void => undefined;
  Reflect.defineMetadata(ADMIN_NEED, SEND_TO, handler);
  const request = {
    id: 'r1',
    ip: '192.0.2.1',
    method: 'POST',
    protocol: 'http',
    host: 'sutura.example',
    note: null,
    body,
    headers: { cookie: 'sutura-session=held', 'x-csrf-token': csrfTokenOf('held') },
  } as unknown as FastifyRequest;
  return guard.canActivate({
    switchToHttp: () => ({ getRequest: () => request }),
    getHandler: () => handler,
  } as unknown as ExecutionContext);
}

describe('a user of the admin API', () => {
  it.each([
    ['a role that does less', 'reviewer', { listenerId: 'l1', destinationId: 'd1' }],
    ['one thing of another organization beside their own', 'integrator', { listenerId: 'l1', destinationId: 'd2' }],
    ['one thing that does not exist beside their own', 'integrator', { listenerId: 'l1', destinationId: 'd3' }],
    ['a thing of another organization', 'admin', { destinationId: 'd2' }],
    ['nothing that is named', 'admin', {}],
  ] as const)('is refused with %s', async (_, role, body) => {
    await expect(ask(role, body)).rejects.toMatchObject({ code: 'auth.role' });
  });

  it('is let in where all that the request names is of organizations in which they have the role', async () => {
    expect(await ask('integrator', { listenerId: 'l1', destinationId: 'd1' })).toBe(true);
    expect(await ask('viewer', { destinationId: 'd2' }, { isInstallationAdmin: true })).toBe(true);
  });
});
