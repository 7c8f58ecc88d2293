import { useSearchParams } from 'react-router';

/** One choice of a page, kept in its address; empty: none. */
export function useQueryField(name: string): readonly [string, (chosen: string) => void] {
  const [query, setQuery] = useSearchParams();
  const choose = (chosen: string) => {
    const next = new URLSearchParams(query);
    if (chosen === '') next.delete(name);
    else next.set(name, chosen);
    setQuery(next);
  };
  return [query.get(name) ?? '', choose];
}
