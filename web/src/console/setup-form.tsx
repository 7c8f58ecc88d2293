import { useState } from 'react';
import { ask } from '../shared/api.js';
import { Button, TextField } from '../shared/components/controls.js';
import { RefusalNotice } from '../shared/components/refusal-notice.js';
import { PASSWORD_HINT } from './password-hint.js';
import type { Session } from './shared/answers.js';
import { useSetSession } from './session.js';
import { useAsked } from './use-asked.js';

/** Sets the first password, or one in the place of a lost one, by a set-up code, and logs in. */
export function SetupForm({ leave }: { readonly leave: () => void }) {
  const setSession = useSetSession();
  const [input, setInput] = useState({ setupCode: '', password: '' });
  const { fault, isBusy, begin } = useAsked();
  const setUp = async () => {
    const { password } = input;
    const body = { setupCode: input.setupCode.trim(), password };
    const { name } = (await ask<Session['user']>('POST', '/admin/v1/session/setup', { body })).data;
    setSession((await ask<Session>('POST', '/admin/v1/session', { body: { name, password } })).data);
  };

  return (
    <form className="card stack" onSubmit={(event) => begin(event, setUp)}>
      <h1>Set your password</h1>
      <TextField
        label="Set-up code"
        autoComplete="off"
        isRequired
        autoFocus
        hint="From your administrator; it works once, for a day"
        value={input.setupCode}
        onChange={(setupCode) => setInput({ ...input, setupCode })}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        isRequired
        hint={PASSWORD_HINT}
        value={input.password}
        onChange={(password) => setInput({ ...input, password })}
      />
      <RefusalNotice fault={fault} />
      <Button look="primary" type="submit" isDisabled={isBusy}>
        Set it and log in
      </Button>
      <Button onPress={leave}>Log in with a password</Button>
    </form>
  );
}
