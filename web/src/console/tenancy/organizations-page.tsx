import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../shared/components/controls.js';
import { ActButton } from '../shared/act-button.js';
import type { ApiKey, Items, Organization, Usage } from '../shared/answers.js';
import { useOrganizations } from '../shared/organization-choice.js';
import { Read } from '../shared/page-state.js';
import { useRead } from '../shared/reads.js';
import { StateTag, Tag } from '../shared/tag.js';
import { moment } from '../shared/zone.js';
import { mayAct, useSession } from '../session.js';
import { NewKey } from './new-key.js';
import { NewOrganization, OrganizationSettings } from './organization-settings.js';
import { PageHeading } from '../shared/page-heading.js';

/** Organizations, what they have used today, and their keys. */
export function OrganizationsPage() {
  const { user } = useSession();
  const known = useOrganizations();
  const read = useRead<Items<Organization>>('/admin/v1/organizations', { isAsked: user.installationAdmin });
  return (
    <div className="stack">
      <PageHeading title="Organizations and keys" />
      {user.installationAdmin ? (
        <Read read={read}>
          {({ items }) => (
            <>
              {items.map((organization) => (
                <OrganizationCard
                  key={organization.id}
                  id={organization.id}
                  name={organization.name}
                  words={`plan ${organization.plan}, ${organization.dailyLimit} analyses a day`}
                  organization={organization}
                />
              ))}
              <NewOrganization />
            </>
          )}
        </Read>
      ) : (
        known.map(({ id, name }) => <OrganizationCard key={id} id={id} name={name} words="" />)
      )}
    </div>
  );
}

interface OrganizationCardProps {
  readonly id: string;
  readonly name: string;
  readonly words: string;
  /** For installation admins, who may change it. */
  readonly organization?: Organization;
}

function OrganizationCard({ id, name, words, organization }: OrganizationCardProps) {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const usage = useRead<Usage>(`/admin/v1/organizations/${id}/usage`);
  return (
    <section className="card stack" aria-label={`Organization ${name}`}>
      <div className="row">
        <strong>{name}</strong>
        <code>{id}</code>
        <span className="hint">{words}</span>
      </div>
      <Read read={usage}>
        {({ used, limit, remaining }) => (
          <label className="row">
            <meter min={0} max={limit} high={limit * 0.9} value={used} />
            {used} of {limit} used today, {remaining} left
          </label>
        )}
      </Read>
      <div className="row">
        <Button onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          Keys
        </Button>
        <Link to={`/figures?${new URLSearchParams({ organizationId: id }).toString()}`}>Figures</Link>
        {mayAct(session, 'admin', id) ? (
          <Link to={`/audit?${new URLSearchParams({ organizationId: id }).toString()}`}>Audit trail</Link>
        ) : null}
      </div>
      {organization === undefined ? null : <OrganizationSettings organization={organization} />}
      {isOpen ? <Keys organizationId={id} /> : null}
      {isOpen && mayAct(session, 'integrator', id) ? <NewKey organizationId={id} /> : null}
    </section>
  );
}

function Keys({ organizationId }: { readonly organizationId: string }) {
  const session = useSession();
  const read = useRead<Items<ApiKey>>(`/admin/v1/organizations/${organizationId}/keys`);
  return (
    <Read read={read}>
      {({ items }) =>
        items.length === 0 ? (
          <p className="hint">There is no key.</p>
        ) : (
          <div className="wide">
            <table className="plain">
              <thead>
                <tr>
                  <th scope="col">Key</th>
                  <th scope="col">State</th>
                  <th scope="col">Scopes</th>
                  <th scope="col">Last used</th>
                  <th scope="col">Ends</th>
                  <th scope="col">Act</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ id, prefix, lastFour, environment, state, scopes, lastUsedAt, expiresAt }) => (
                  <tr key={id}>
                    <td className="mono">
                      {prefix}…{lastFour} <Tag>{environment}</Tag>
                    </td>
                    <td>
                      <StateTag state={state} />
                    </td>
                    <td>{scopes.join(', ')}</td>
                    <td>{moment(lastUsedAt)}</td>
                    <td>{moment(expiresAt)}</td>
                    <td>
                      {state === 'active' && mayAct(session, 'integrator', organizationId) ? (
                        <ActButton
                          label="Revoke"
                          look="danger"
                          method="DELETE"
                          path={`/admin/v1/keys/${id}`}
                          question="Whoever uses it is refused within seconds. This cannot be taken back."
                          done="Revoked."
                        />
                      ) : null}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Read>
  );
}
