const NAME = 'sutura-login=';
const LIFE_S = 600;

/**
 * Binds a login at the provider to the browser that began it. It comes back with a navigation from the provider's site, so it cannot be Strict;
 * it opens nothing by itself. null takes it away.
 */
export function stateCookie(state: string | null, secure: boolean): string {
  const life = `Max-Age=${state === null ? 0 : LIFE_S}`;
  const path = 'Path=/admin/v1/session/oidc';
  return [`${NAME}${state ?? ''}`, path, life, 'HttpOnly', 'SameSite=Lax', ...(secure ? ['Secure'] : [])].join('; ');
}

/** The state of this browser's login; null without one, or with two. */
export function readStateCookie(cookie: string | undefined): string | null {
  const found = (cookie ?? '').split('; ').filter((part) => part.startsWith(NAME));
  return found.length === 1 && found[0]!.length > NAME.length ? found[0]!.slice(NAME.length) : null;
}
