import { CodesForm, PasswordForm } from './own-credentials.js';
import { useSession } from './session.js';
import { PageHeading } from './shared/page-heading.js';
import { moment } from './shared/zone.js';

/** Who is logged in, and what they may do where. */
export function AccountPage() {
  const { user, expiresAt } = useSession();
  return (
    <div className="stack">
      <PageHeading title={user.displayName || user.name} />
      <p>
        Logged in as <code>{user.name}</code> until {moment(expiresAt)}.
      </p>
      {user.installationAdmin ? (
        <p>You are an installation admin: everything in every organization.</p>
      ) : (
        <ul>
          {user.roles.map(({ organizationId, role }) => (
            <li key={organizationId}>
              <strong>{role}</strong> in <code>{organizationId}</code>
            </li>
          ))}
        </ul>
      )}
      <PasswordForm />
      <CodesForm />
    </div>
  );
}
