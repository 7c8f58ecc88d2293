interface KnownRoute {
  readonly methods: readonly string[];
  readonly pattern: string;
  readonly matches: RegExp;
}

/** The methods of each path, to tell a wrong method from an unknown path. */
export class RouteTable {
  private readonly routes: KnownRoute[] = [];

  /** `pattern` in the router's syntax: `:name` is one segment, a trailing `*` the rest. */
  add(method: string | readonly string[], pattern: string): void {
    this.routes.push({ methods: typeof method === 'string' ? [method] : method, pattern, matches: toRegExp(pattern) });
  }

  /** The methods in alphabetical order; empty for an unknown path. A literal path is not also an id. */
  methodsOf(path: string): string[] {
    const matching = this.routes.filter((route) => route.matches.test(path));
    const literal = matching.filter((route) => route.pattern === path);
    const methods = (literal.length > 0 ? literal : matching).flatMap((route) => route.methods);
    return [...new Set(methods)].sort();
  }

  /** Every route as `METHOD /pattern`, in alphabetical order. */
  list(): string[] {
    return [
      ...new Set(this.routes.flatMap((route) => route.methods.map((method) => `${method} ${route.pattern}`))),
    ].sort();
  }
}

function toRegExp(pattern: string): RegExp {
  const source = pattern
    .split(/(:[A-Za-z_]\w*|\*)/)
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`);
}
