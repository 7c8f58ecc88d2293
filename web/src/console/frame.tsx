import { useState, type FormEvent } from 'react';
import { Link, NavLink, Outlet, Route, Routes, useLocation, useNavigate, useSearchParams } from 'react-router';
import { Input, Label, SearchField } from 'react-aria-components';
import { ask } from '../shared/api.js';
import { Button } from '../shared/components/controls.js';
import type { Theme } from '../shared/theme.js';
import { PAGES } from './pages.js';
import { Announcements } from './shared/announcements.js';
import { mayAct, useSession, useSetSession } from './session.js';
import './frame.css';
import { PageHeading } from './shared/page-heading.js';
import { useZone } from './shared/zone.js';

interface FrameProps {
  readonly theme: Theme;
  readonly setTheme: (theme: Theme) => void;
}

/** What stands around every page: the search box, the list of pages, who is logged in. */
export function Frame(props: FrameProps) {
  // Each page is rendered anew where another zone is chosen, and keeps what is typed.
  useZone();
  return (
    <Routes>
      <Route element={<Around {...props} />}>
        {PAGES.map(({ path, page: Page }) => (
          <Route key={path} path={path} element={<Page />} />
        ))}
        <Route path="*" element={<NoPage />} />
      </Route>
    </Routes>
  );
}

function Around({ theme, setTheme }: FrameProps) {
  const session = useSession();
  const { user } = session;
  const setSession = useSetSession();
  const { pathname } = useLocation();
  const [zone, setZone] = useZone();
  const [isOpen, setOpen] = useState(false);
  async function logOut() {
    await ask('DELETE', '/admin/v1/session').catch(() => undefined);
    setSession(null);
  }
  return (
    <div className="frame">
      <a className="skip" href="#page">
        To the page
      </a>
      <header className="top">
        <Link to="/" className="brand">
          <img src="/web/mark.svg" alt="" width="28" height="28" /> Sutura
        </Link>
        <SearchBox />
        <div className="row">
          <Button onPress={() => setTheme(theme === 'dark' ? 'light' : 'dark')}>
            {theme === 'dark' ? 'Light' : 'Dark'}
          </Button>
          <Button onPress={() => setZone(zone === 'utc' ? 'local' : 'utc')}>
            {zone === 'utc' ? 'Local time' : 'UTC'}
          </Button>
          <span className="hint">{user.displayName || user.name}</span>
          <Button onPress={() => void logOut()}>Log out</Button>
        </div>
        <button className="button menu" aria-expanded={isOpen} aria-controls="pages" onClick={() => setOpen(!isOpen)}>
          Pages
        </button>
      </header>
      <nav id="pages" className={isOpen ? 'pages open' : 'pages'} aria-label="Pages" onClick={() => setOpen(false)}>
        {PAGES.filter(({ label, role }) => label !== undefined && (role === undefined || mayAct(session, role))).map(
          ({ path, label }) => (
            <NavLink key={path} to={path} end={path === '/'}>
              {label}
            </NavLink>
          ),
        )}
      </nav>
      <main id="page" tabIndex={-1}>
        <Announcements key={pathname}>
          <Outlet />
        </Announcements>
      </main>
    </div>
  );
}

/** One box for every number that people have in their hands. */
function SearchBox() {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [text, setText] = useState(query.get('q') ?? '');
  function search(event: FormEvent) {
    event.preventDefault();
    if (text.trim() !== '') void navigate(`/search?${new URLSearchParams({ q: text.trim() }).toString()}`);
  }
  return (
    <form role="search" className="search" onSubmit={search}>
      <SearchField value={text} onChange={setText} aria-label="Search">
        <Label className="visually-hidden">Search</Label>
        <Input className="input" placeholder="Order, accession, patient, image, job, report, MSH-10 …" />
      </SearchField>
      <Button look="primary" type="submit">
        Search
      </Button>
    </form>
  );
}

function NoPage() {
  return (
    <div className="stack">
      <PageHeading title="There is no such page" />
      <p>
        <Link to="/">To the first page</Link>, or search for a number above.
      </p>
    </div>
  );
}
