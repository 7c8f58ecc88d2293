import { RefusalNotice } from '../shared/components/refusal-notice.js';
import { useTheme } from '../shared/theme.js';
import { Frame } from './frame.js';
import { LoginPage } from './login-page.js';
import { SessionProvider, useOtherTabs, useSessionQuery } from './session.js';

/** The whole console: the login, or the pages of whoever is logged in. */
export function Console() {
  const [theme, setTheme] = useTheme();
  useOtherTabs();
  const { data: session, error, isPending } = useSessionQuery();
  if (isPending) return <p className="visually-hidden">Loading</p>;
  if (error !== null)
    return (
      <main className="login">
        <RefusalNotice fault={error} />
      </main>
    );
  if (session === null) return <LoginPage />;
  return (
    <SessionProvider value={session}>
      <Frame theme={theme} setTheme={setTheme} />
    </SessionProvider>
  );
}
