import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ROLES, type Role } from '../../../../src/core/tenancy/roles.js';
import { ask } from '../../shared/api.js';
import { Button, Checkbox, TextField } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import { useAnnounce } from '../shared/announcements.js';
import type { InvitedUser, User } from '../shared/answers.js';
import { useOrganizations } from '../shared/organization-choice.js';
import { Overtaken } from '../shared/overtaken.js';
import { ShownOnce } from '../shared/shown-once.js';

type Roles = User['roles'];

interface Rights {
  readonly installationAdmin: boolean;
  readonly roles: Roles;
}

/** Rights that are being changed, and the user as they were when that began. */
interface Editing {
  readonly base: User;
  readonly draft: Rights;
}

/** Changes what a person may do where, only if nobody else was faster: no role comes back that another admin took away. */
export function UserRoles({ user }: { readonly user: User }) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [editing, setEditing] = useState<Editing | null>(null);
  const save = useMutation({
    mutationFn: ({ base, draft: { installationAdmin, roles } }: Editing) =>
      ask('PATCH', `/admin/v1/users/${user.id}`, {
        body: { roles, ...(installationAdmin === base.installationAdmin ? {} : { installationAdmin }) },
        ifMatch: base.etag,
      }),
    onSuccess: () => {
      announce(`What ${user.name} may do is changed, from their next click on.`);
      setEditing(null);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['read'] }),
  });
  if (editing === null) {
    const begin = () => {
      save.reset();
      setEditing({ base: user, draft: rightsOf(user) });
    };
    return <Button onPress={begin}>Change roles</Button>;
  }
  const { base, draft } = editing;
  const isOvertaken = user.etag !== base.etag;
  const isSame = JSON.stringify(draft) === JSON.stringify(rightsOf(base));
  const takeOver = () => {
    save.reset();
    setEditing({ base: user, draft: withOthersChanges(editing, user) });
  };
  return (
    <fieldset className="stack">
      <legend>Roles of {user.name}</legend>
      <RightsFields rights={draft} set={(rights) => setEditing({ base, draft: rights })} />
      <RefusalNotice fault={isOvertaken ? null : save.error} />
      {isOvertaken ? <Overtaken what={`what ${user.name} may do`} onTakeOver={takeOver} /> : null}
      <div className="row">
        <Button
          look="primary"
          isDisabled={isSame || save.isPending || isOvertaken}
          onPress={() => save.mutate(editing)}
        >
          Save roles
        </Button>
        <Button onPress={() => setEditing(null)}>Leave it</Button>
      </div>
    </fieldset>
  );
}

const rightsOf = ({ installationAdmin, roles }: User): Rights => ({ installationAdmin, roles });

/** What was chosen here as it stands here, all else as the user has it now. */
function withOthersChanges({ base, draft }: Editing, user: User): Rights {
  const roleIn = (roles: Roles, id: string) => roles.find(({ organizationId }) => organizationId === id)?.role;
  const isMine = (id: string) => roleIn(draft.roles, id) !== roleIn(base.roles, id);
  const kept = [
    ...user.roles.filter((held) => !isMine(held.organizationId)),
    ...draft.roles.filter((held) => isMine(held.organizationId)),
  ];
  const isMyChange = draft.installationAdmin !== base.installationAdmin;
  return { installationAdmin: isMyChange ? draft.installationAdmin : user.installationAdmin, roles: kept };
}

/** Makes a user; the set-up code is shown once. */
export function NewUser() {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [rights, setRights] = useState<Rights>({ installationAdmin: false, roles: [] });
  const make = useMutation({
    mutationFn: async () =>
      (
        await ask<InvitedUser>('POST', '/admin/v1/users', {
          body: {
            name: name.trim(),
            ...(displayName.trim() === '' ? {} : { displayName: displayName.trim() }),
            ...rights,
          },
        })
      ).data,
    onSuccess: () => {
      setName('');
      setDisplayName('');
      setRights({ installationAdmin: false, roles: [] });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['read'] }),
  });
  return (
    <fieldset className="stack card">
      <legend>A new user</legend>
      <div className="filters">
        <TextField label="Login name" hint="small letters and digits" value={name} onChange={setName} />
        <TextField label="Name to show" value={displayName} onChange={setDisplayName} />
      </div>
      <RightsFields rights={rights} set={setRights} />
      <RefusalNotice fault={make.error} />
      {make.data === undefined ? null : (
        <ShownOnce what={`The set-up code of ${make.data.name}, good for a day`} text={make.data.setupCode} />
      )}
      <div>
        <Button isDisabled={name.trim() === '' || make.isPending} onPress={() => make.mutate()}>
          Make the user
        </Button>
      </div>
    </fieldset>
  );
}

/** Takes password, codes and sessions away, after a question; the new set-up code is shown once. */
export function ResetUser({ user }: { readonly user: User }) {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const reset = useMutation({
    mutationFn: async () => (await ask<InvitedUser>('POST', `/admin/v1/users/${user.id}/reset`)).data,
    onSettled: () => queries.invalidateQueries({ queryKey: ['read'] }),
  });
  const begin = () => {
    setAsking(false);
    reset.mutate();
  };
  return (
    <span className="row">
      {isAsking ? (
        <span className="row notice warn" role="group" aria-label="Reset login">
          <span>Password, one-time codes and sessions of {user.name} end. This cannot be taken back.</span>
          <Button look="danger" onPress={begin} autoFocus>
            Reset login
          </Button>
          <Button onPress={() => setAsking(false)}>Leave it</Button>
        </span>
      ) : (
        <Button onPress={() => setAsking(true)} isDisabled={reset.isPending}>
          Reset login
        </Button>
      )}
      <RefusalNotice fault={reset.error} />
      {reset.data === undefined ? null : (
        <ShownOnce what={`The new set-up code of ${user.name}, good for a day`} text={reset.data.setupCode} />
      )}
    </span>
  );
}

function RightsFields({ rights, set }: { readonly rights: Rights; readonly set: (rights: Rights) => void }) {
  const organizations = useOrganizations();
  const { installationAdmin, roles } = rights;
  const roleIn = (id: string) => roles.find(({ organizationId }) => organizationId === id)?.role ?? '';
  const give = (id: string, role: Role | '') => {
    const others = roles.filter(({ organizationId }) => organizationId !== id);
    set({ ...rights, roles: role === '' ? others : [...others, { organizationId: id, role }] });
  };
  return (
    <>
      <Checkbox
        label="Installation admin: everything in every organization"
        checked={installationAdmin}
        onChange={(isAdmin) => set({ ...rights, installationAdmin: isAdmin })}
      />
      {installationAdmin ? null : (
        <div className="filters">
          {organizations.map(({ id, name }) => (
            <label key={id} className="field">
              <span className="label">{name}</span>
              <select
                className="input"
                value={roleIn(id)}
                onChange={(event) => give(id, ROLES.find((role) => role === event.target.value) ?? '')}
              >
                <option value="">no role</option>
                {ROLES.map((role) => (
                  <option key={role}>{role}</option>
                ))}
              </select>
            </label>
          ))}
        </div>
      )}
    </>
  );
}
