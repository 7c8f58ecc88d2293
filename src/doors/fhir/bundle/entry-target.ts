import type { EntryTarget } from './bundle-entry.js';

const TYPE = /^[A-Z][A-Za-z]{1,63}$/;
const ID = /^[A-Za-z0-9\-.]{1,64}$/;

/** null for an address that no entry may have: an operation, the system as a whole, or another server. */
export function readTarget(url: string, base: string): EntryTarget | null {
  const [path = '', search] = splitAt(relativeTo(base, url), '?');
  const [type = '', id, history, version, ...rest] = path.split('/');
  if (!TYPE.test(type) || rest.length > 0) return null;
  const query = new URLSearchParams(search ?? '');
  if (id === undefined) return { kind: 'type', type, query };
  if (!ID.test(id)) return null;
  // A read takes no parameters here: none may be left out unseen.
  if (history === undefined) return search === undefined ? { kind: 'instance', type, id } : null;
  if (history !== '_history') return null;
  if (version === undefined) return { kind: 'history', type, id, query };
  return ID.test(version) && search === undefined ? { kind: 'version', type, id, version } : null;
}

/** An address below our own base without it (with and without the alias `/R4`). */
export function relativeTo(base: string, url: string): string {
  const root = base.replace(/\/R4$/, '');
  const prefix = [`${root}/R4/`, `${root}/`, '/'].find((each) => url.startsWith(each));
  return prefix === undefined ? url : url.slice(prefix.length);
}

function splitAt(text: string, mark: string): [string, string | undefined] {
  const position = text.indexOf(mark);
  return position === -1 ? [text, undefined] : [text.slice(0, position), text.slice(position + 1)];
}
