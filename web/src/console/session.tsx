import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect } from 'react';
import { HELD_BY, type Role } from '../../../src/core/tenancy/roles.js';
import { ask, Refusal, rememberCsrfToken } from '../shared/api.js';
import type { Session } from './shared/answers.js';

const KEY = ['session'] as const;
/** Between the tabs of this browser, which share one session. */
const tabs = new BroadcastChannel('sutura-console-session');

/** The session of this browser; null: nobody is logged in. */
export function useSessionQuery() {
  return useQuery({
    queryKey: KEY,
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<Session | null> => {
      try {
        const { data } = await ask<SaidSession>('GET', '/admin/v1/session', { signal });
        rememberCsrfToken(data.csrfToken);
        return withOrganizations(data);
      } catch (fault) {
        if (fault instanceof Refusal && (fault.status === 401 || fault.status === 404)) return null;
        throw fault;
      }
    },
  });
}

type SaidSession = Omit<Session, 'organizations'> & Partial<Pick<Session, 'organizations'>>;

/** The release before, which may still answer while another takes its place, does not name organizations. */
function withOrganizations(said: SaidSession): Session {
  const ids = [...new Set(said.user.roles.map(({ organizationId }) => organizationId))];
  return { ...said, organizations: said.organizations ?? ids.map((id) => ({ id, name: null })) };
}

function keepSession(queries: QueryClient, session: Session | null): void {
  rememberCsrfToken(session?.csrfToken ?? null);
  if (session === null) queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
  queries.setQueryData(KEY, session === null ? null : withOrganizations(session));
}

/** Takes what the login answered; with null everything that was read is forgotten, in every tab. */
export function useSetSession(): (session: Session | null) => void {
  const queries = useQueryClient();
  return (session) => {
    keepSession(queries, session);
    tabs.postMessage(session === null ? 'ended' : 'begun');
  };
}

/** Follows what somebody does in another tab: who logs out there leaves nothing on the screen here. */
export function useOtherTabs(): void {
  const queries = useQueryClient();
  useEffect(() => {
    tabs.onmessage = ({ data }) => {
      if (data === 'ended') keepSession(queries, null);
      else void queries.invalidateQueries({ queryKey: KEY });
    };
    return () => {
      tabs.onmessage = null;
    };
  }, [queries]);
}

const Current = createContext<Session | null>(null);
export const SessionProvider = Current.Provider;

/** The session below SessionProvider. */
export function useSession(): Session {
  const session = useContext(Current);
  if (session === null) throw new Error('This is shown to people who are logged in.');
  return session;
}

/** True where the role is held in the organization, or, without one, in any. The gateway decides; this hides what it would refuse. */
export function mayAct({ user }: Session, role: Role, organizationId?: string): boolean {
  return (
    user.installationAdmin ||
    user.roles.some(
      (held) =>
        HELD_BY[role].includes(held.role) && (organizationId === undefined || held.organizationId === organizationId),
    )
  );
}
