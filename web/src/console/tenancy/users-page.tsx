import { ActButton } from '../shared/act-button.js';
import type { Items, User } from '../shared/answers.js';
import { Read } from '../shared/page-state.js';
import { useRead } from '../shared/reads.js';
import { StateTag } from '../shared/tag.js';
import { moment } from '../shared/zone.js';
import { useSession } from '../session.js';
import { useOrganizations } from '../shared/organization-choice.js';
import { NewUser, ResetUser, UserRoles } from './user-roles.js';
import { PageHeading } from '../shared/page-heading.js';

/** Who may log in, for installation admins. */
export function UsersPage() {
  const { user: self } = useSession();
  const organizations = useOrganizations();
  const nameOf = (id: string) => organizations.find((one) => one.id === id)?.name ?? id;
  const read = useRead<Items<User>>('/admin/v1/users', { isAsked: self.installationAdmin });
  if (!self.installationAdmin)
    return (
      <div className="stack">
        <PageHeading title="Users" />
        <p>This is for installation admins.</p>
      </div>
    );
  return (
    <div className="stack">
      <PageHeading title="Users" />
      <Read read={read}>
        {({ items }) => (
          <div className="wide">
            <table className="plain stacked">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">State</th>
                  <th scope="col">Roles</th>
                  <th scope="col">Last login</th>
                  <th scope="col">Act</th>
                </tr>
              </thead>
              <tbody>
                {items.map((user) => {
                  const { id, name, displayName, state, installationAdmin, roles, lastLoginAt } = user;
                  return (
                    <tr key={id}>
                      <td data-label="Name">
                        {displayName} <code>{name}</code>
                      </td>
                      <td data-label="State">
                        <StateTag state={state} />
                      </td>
                      <td data-label="Roles">
                        {installationAdmin
                          ? 'installation admin'
                          : roles.map(({ role, organizationId }) => `${role} in ${nameOf(organizationId)}`).join(', ')}
                      </td>
                      <td data-label="Last login">{moment(lastLoginAt)}</td>
                      <td data-label="Act">
                        {id === self.id ? (
                          <span className="hint">yourself</span>
                        ) : (
                          <div className="row">
                            <UserRoles user={user} />
                            <ResetUser user={user} />
                            <ActButton
                              label={state === 'disabled' ? 'Enable' : 'Disable'}
                              method="PATCH"
                              path={`/admin/v1/users/${id}`}
                              body={{ disabled: state !== 'disabled' }}
                              {...(state === 'disabled' ? {} : { question: 'Every session of this user ends.' })}
                            />
                          </div>
                        )}
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
        )}
      </Read>
      <NewUser />
    </div>
  );
}
