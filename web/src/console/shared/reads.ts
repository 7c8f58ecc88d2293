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

/** What is asked again and again is not green for longer than this on a gateway that hangs. */
const HANGS_AFTER_MS = 10_000;

/** The next question comes soon: none is asked a second time before a person is told. */
function repeated(everyMs: number | undefined) {
  return everyMs === undefined ? {} : { refetchInterval: everyMs, retry: false };
}

async function answerOf<T>(path: string, signal: AbortSignal, everyMs: number | undefined): Promise<T> {
  const patience = everyMs === undefined ? {} : { timeoutMs: HANGS_AFTER_MS };
  return (await ask<T>('GET', path, { signal, ...patience })).data;
}

/** What the gateway answers to a GET; the path is the key under which it is remembered. */
export function useRead<T>(path: string, { isAsked = true, everyMs }: ReadOptions = {}): UseQueryResult<T, unknown> {
  return useQuery<T, unknown>({
    queryKey: ['read', path],
    enabled: isAsked,
    ...repeated(everyMs),
    queryFn: ({ signal }) => answerOf<T>(path, signal, everyMs),
  });
}

/** As `useRead`, for several paths at once; in their order. */
export function useReads<T>(paths: readonly string[], { everyMs }: Pick<ReadOptions, 'everyMs'> = {}) {
  return useQueries({
    queries: paths.map((path) => ({
      queryKey: ['read', path],
      ...repeated(everyMs),
      queryFn: ({ signal }: { signal: AbortSignal }) => answerOf<T>(path, signal, everyMs),
    })),
  });
}
