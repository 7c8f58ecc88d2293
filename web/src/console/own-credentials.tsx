import { useState } from 'react';
import { ask } from '../shared/api.js';
import { Button, TextField } from '../shared/components/controls.js';
import { RefusalNotice } from '../shared/components/refusal-notice.js';
import { PASSWORD_HINT } from './password-hint.js';
import { useSession, useSetSession } from './session.js';
import { useAnnounce } from './shared/announcements.js';
import { ShownOnce } from './shared/shown-once.js';
import { useAsked } from './use-asked.js';

/** Another password; every session ends, this one too. */
export function PasswordForm() {
  const setSession = useSetSession();
  const [input, setInput] = useState({ password: '', newPassword: '' });
  const { fault, isBusy, begin } = useAsked();
  const change = async () => {
    await ask('POST', '/admin/v1/session/password', { body: input });
    setSession(null);
  };
  return (
    <form className="card stack narrow" aria-label="Password" onSubmit={(event) => begin(event, change)}>
      <h2>Password</h2>
      <TextField
        label="Present password"
        type="password"
        autoComplete="current-password"
        isRequired
        value={input.password}
        onChange={(password) => setInput({ ...input, password })}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        isRequired
        hint={`${PASSWORD_HINT}. You log in anew with it, everywhere.`}
        value={input.newPassword}
        onChange={(newPassword) => setInput({ ...input, newPassword })}
      />
      <RefusalNotice fault={fault} />
      <Button type="submit" isDisabled={isBusy}>
        Change the password
      </Button>
    </form>
  );
}

interface OfferedCodes {
  readonly secret: string;
  readonly address: string;
}

/** One-time codes of an authenticator app, in force once one of them was seen. */
export function CodesForm() {
  const session = useSession();
  const { user } = session;
  const setSession = useSetSession();
  const announce = useAnnounce();
  const [input, setInput] = useState({ password: '', code: '' });
  const [offered, setOffered] = useState<OfferedCodes | null>(null);
  const { fault, isBusy, begin } = useAsked();
  const offer = async () => {
    const { password } = input;
    setOffered((await ask<OfferedCodes>('POST', '/admin/v1/session/codes', { body: { password } })).data);
    setInput({ password: '', code: '' });
  };
  const confirm = async () => {
    await ask('PUT', '/admin/v1/session/codes', { body: { code: input.code.trim() } });
    setOffered(null);
    setSession({ ...session, user: { ...user, oneTimeCodes: true } });
    announce('From now on each login asks for a code of the app.');
  };
  return (
    <form
      className="card stack narrow"
      aria-label="One-time codes"
      onSubmit={(event) => begin(event, offered === null ? offer : confirm)}
    >
      <h2>One-time codes</h2>
      <p className="hint">
        {user.oneTimeCodes
          ? 'Each login asks for a code of your authenticator app. Another app takes the place of the one before.'
          : 'A second proof beside the password, by an authenticator app (RFC 6238).'}
      </p>
      {offered === null ? (
        <TextField
          label="Your password"
          type="password"
          autoComplete="current-password"
          isRequired
          value={input.password}
          onChange={(password) => setInput({ ...input, password })}
        />
      ) : (
        <>
          <ShownOnce what="The secret for your app" text={offered.secret} />
          <TextField
            label="A code of the app"
            inputMode="numeric"
            autoComplete="one-time-code"
            isRequired
            autoFocus
            value={input.code}
            onChange={(code) => setInput({ ...input, code })}
          />
        </>
      )}
      <RefusalNotice fault={fault} />
      <Button type="submit" isDisabled={isBusy}>
        {offered === null ? 'Set up an app' : 'Put it in force'}
      </Button>
    </form>
  );
}
