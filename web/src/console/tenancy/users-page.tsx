import { ActButton } from '../shared/act-button.js';
import type { Items, User } from '../shared/answers.js';
import { Read } from '../shared/page-state.js';
import { useRead } from '../shared/reads.js';
import { StateTag } from '../shared/tag.js';
import { moment } from '../shared/words.js';
import { useSession } from '../session.js';

/** Who may log in, for installation admins. */
export function UsersPage() {
  const { user: self } = useSession();
  const read = useRead<Items<User>>('/admin/v1/users', { isAsked: self.installationAdmin });
  if (!self.installationAdmin)
    return (
      <div className="stack">
        <h1>Users</h1>
        <p>This is for installation admins.</p>
      </div>
    );
  return (
    <div className="stack">
      <h1>Users</h1>
      <Read read={read}>
        {({ items }) => (
          <div className="wide">
            <table className="plain">
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
                {items.map(({ id, name, displayName, state, installationAdmin, roles, lastLoginAt }) => (
                  <tr key={id}>
                    <td>
                      {displayName} <code>{name}</code>
                    </td>
                    <td>
                      <StateTag state={state} />
                    </td>
                    <td>
                      {installationAdmin
                        ? 'installation admin'
                        : roles.map(({ role, organizationId }) => `${role} in ${organizationId}`).join(', ')}
                    </td>
                    <td>{moment(lastLoginAt)}</td>
                    <td>
                      {id === self.id ? null : (
                        <ActButton
                          label={state === 'disabled' ? 'Enable' : 'Disable'}
                          method="PATCH"
                          path={`/admin/v1/users/${id}`}
                          body={{ disabled: state !== 'disabled' }}
                          {...(state === 'disabled' ? {} : { question: 'Every session of this user ends.' })}
                        />
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Read>
      <p className="hint">
        New users are made at the command line: <code>npm run --silent cli -- user create --name NAME</code>
      </p>
    </div>
  );
}
