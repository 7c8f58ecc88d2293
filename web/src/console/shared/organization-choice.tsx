import { useSearchParams } from 'react-router';
import type { Role } from '../../../../src/core/tenancy/roles.js';
import { mayAct, useSession } from '../session.js';
import type { Environment, Items, Organization } from './answers.js';
import { useRead } from './reads.js';

export interface Choice {
  readonly organizationId: string | undefined;
  readonly environment: Environment | undefined;
}

/** The organizations that the person may look at: of an installation admin all, by name; of others those of their roles. */
export function useOrganizations(role: Role = 'viewer'): readonly { readonly id: string; readonly name: string }[] {
  const session = useSession();
  const isAll = session.user.installationAdmin;
  const { data } = useRead<Items<Organization>>('/admin/v1/organizations', { isAsked: isAll });
  if (isAll) return data?.items ?? [];
  return session.organizations
    .filter(({ id }) => mayAct(session, role, id))
    .map(({ id, name }) => ({ id, name: name ?? id }));
}

/** What the address of the page chooses. People with roles alone always have one organization chosen. */
export function useChoice(role: Role = 'viewer'): Choice {
  const [query] = useSearchParams();
  const { user } = useSession();
  const [first] = useOrganizations(role);
  const environment = query.get('environment');
  return {
    organizationId: query.get('organizationId') ?? (user.installationAdmin ? undefined : first?.id),
    environment: environment === 'test' || environment === 'live' ? environment : undefined,
  };
}

/** Organization and environment, kept in the address. */
export function OrganizationChoice({ role = 'viewer' }: { readonly role?: Role }) {
  const [query, setQuery] = useSearchParams();
  const { user } = useSession();
  const organizations = useOrganizations(role);
  const { organizationId, environment } = useChoice(role);
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(query);
    if (value === '') next.delete(name);
    else next.set(name, value);
    next.delete('after');
    setQuery(next);
  };
  return (
    <>
      <label className="field">
        <span className="label">Organization</span>
        <select
          className="input"
          value={organizationId ?? ''}
          onChange={(event) => set('organizationId', event.target.value)}
        >
          {user.installationAdmin ? <option value="">all</option> : null}
          {organizations.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="label">Environment</span>
        <select
          className="input"
          value={environment ?? ''}
          onChange={(event) => set('environment', event.target.value)}
        >
          <option value="">both</option>
          <option value="live">live</option>
          <option value="test">test</option>
        </select>
      </label>
    </>
  );
}
