import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { ask } from '../../shared/api.js';

type Parameters = Readonly<Record<string, string | number | undefined>>;

/** The path with those of the parameters that are set. */
export function pathWith(path: string, parameters: Parameters = {}): string {
  const set = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set).toString()}`;
}

interface ReadOptions {
  /** False: not asked, for instance because the role is missing. */
  readonly isAsked?: boolean;
  /** Asked again after this many milliseconds, as long as the page is seen. */
  readonly everyMs?: number;
}

/** What the gateway answers to a GET; the path is the key under which it is remembered. */
export function useRead<T>(path: string, { isAsked = true, everyMs }: ReadOptions = {}): UseQueryResult<T, unknown> {
  return useQuery<T, unknown>({
    queryKey: ['read', path],
    enabled: isAsked,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    queryFn: async ({ signal }) => (await ask<T>('GET', path, { signal })).data,
  });
}

/** As `useRead`, for several paths at once; in their order. */
export function useReads<T>(paths: readonly string[], { everyMs }: Pick<ReadOptions, 'everyMs'> = {}) {
  return useQueries({
    queries: paths.map((path) => ({
      queryKey: ['read', path],
      ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await ask<T>('GET', path, { signal })).data,
    })),
  });
}
