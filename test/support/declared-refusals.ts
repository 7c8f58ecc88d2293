import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Responses = Readonly<
  Record<string, { readonly content?: Readonly<Record<string, { readonly examples?: object }>> }>
>;

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly responses: Responses;
}

let known: readonly Route[] | undefined;

/** The routes of the native door in docs/openapi.json; those with fewer parameters first. */
function routes(): readonly Route[] {
  if (known !== undefined) return known;
  const { paths } = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
  };
  const all = Object.entries(paths).filter(([path]) => /^\/(api\/v1|storage)\//.test(path));
  all.sort(([one], [other]) => one.split('{').length - other.split('{').length);
  return (known = all.flatMap(([path, item]) =>
    Object.entries(item).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      responses,
    })),
  ));
}

/** Throws where the native door refuses with a code that the OpenAPI document does not declare for the route: every suite that asks it is a test of the document. */
export function expectDeclared(
  method: string,
  url: string,
  status: number,
  answer: { readonly code?: unknown } | null,
): void {
  const { pathname } = new URL(url);
  const route = routes().find((one) => one.method === method.replace('HEAD', 'GET') && one.path.test(pathname));
  const code = answer?.code;
  // An address that nothing can decode meets no route.
  if (route === undefined || !isDecodable(pathname) || typeof code !== 'string' || code === 'route.not_found') return;
  const declared = Object.values(route.responses).flatMap(({ content }) =>
    Object.keys(content?.['application/problem+json']?.examples ?? {}),
  );
  if (!declared.includes(code))
    throw new Error(
      `${method} ${pathname} answered ${status} ${code}, which docs/openapi.json does not declare for it.`,
    );
}

function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}
