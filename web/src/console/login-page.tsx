import { useState, type FormEvent } from 'react';
import { ask, Refusal } from '../shared/api.js';
import { Button, TextField } from '../shared/components/controls.js';
import { RefusalNotice } from '../shared/components/refusal-notice.js';
import { SetupForm } from './setup-form.js';
import type { Session } from './shared/answers.js';
import { useSetSession } from './session.js';
import './login-page.css';

/** The gateway says so in the page, where people may come by their identity provider. */
const hasProvider = () => document.body.dataset['login'] === 'provider';

/** The ways in: a login, or a password set by a set-up code. */
export function LoginPage() {
  const [hasCode, setHasCode] = useState(false);
  return (
    <main className="login">
      {hasCode ? <SetupForm leave={() => setHasCode(false)} /> : <LoginForm setUp={() => setHasCode(true)} />}
    </main>
  );
}

/** Name, password, and a one-time code where the account asks for one. */
function LoginForm({ setUp }: { readonly setUp: () => void }) {
  const setSession = useSetSession();
  const [input, setInput] = useState({ name: '', password: '', code: '' });
  const [fault, setFault] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const needsCode = fault instanceof Refusal && fault.code === 'login.code_required';
  const [asksCode, setAsksCode] = useState(false);

  async function logIn(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    const { name, password, code } = input;
    try {
      const body = { name, password, ...(code === '' ? {} : { code }) };
      setSession((await ask<Session>('POST', '/admin/v1/session', { body })).data);
    } catch (refusal) {
      setFault(refusal);
      if (refusal instanceof Refusal && refusal.code === 'login.code_required') setAsksCode(true);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className="card stack" onSubmit={(event) => void logIn(event)}>
      <h1>Sutura console</h1>
      <TextField
        label="Name"
        autoComplete="username"
        isRequired
        autoFocus
        value={input.name}
        onChange={(name) => setInput({ ...input, name })}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        isRequired
        value={input.password}
        onChange={(password) => setInput({ ...input, password })}
      />
      {asksCode ? (
        <TextField
          label="One-time code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          hint="Six digits of your authenticator app"
          value={input.code}
          onChange={(code) => setInput({ ...input, code })}
        />
      ) : null}
      {needsCode ? null : <RefusalNotice fault={fault} />}
      <Button look="primary" type="submit" isDisabled={isBusy}>
        Log in
      </Button>
      {hasProvider() ? (
        <a className="button" href="/admin/v1/session/oidc">
          Log in where your organization does
        </a>
      ) : null}
      <Button onPress={setUp}>I have a set-up code</Button>
      <p className="hint">
        No account? An administrator makes one, and gives you a set-up code. The first is made on the machine itself:{' '}
        <code>npm run --silent cli -- user create --name NAME --installation-admin on</code>
      </p>
    </form>
  );
}
