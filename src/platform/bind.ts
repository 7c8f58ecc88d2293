import type { FactoryProvider, InjectionToken } from '@nestjs/common';

/** A class that stands for its instance: a port or a service. */
interface ClassOf<V> {
  readonly prototype: V;
  readonly name: string;
}

/** A value made of another provider: a limit out of the settings, a function over the logger. */
export interface Derived<V> {
  readonly token: InjectionToken;
  readonly derive: (found: never) => V;
}

/** The source of one value. */
type Origin<V> = ClassOf<V> | Derived<V>;

/** The source of one argument, or of each field of an argument that is an object. */
type ArgumentOrigin<V> = Origin<V> | { readonly [Name in keyof V]: Origin<V[Name]> };

const DERIVED = Symbol('derived');

/** `from(Settings, ({ images }) => images.maxBytes)`. */
export function from<S, V>(token: ClassOf<S>, derive: (found: S) => V): Derived<V> {
  return Object.assign({ token: token as InjectionToken, derive }, { [DERIVED]: true });
}

/**
 * A provider of a plain class, with each argument of its constructor named once: a class, a value made by `from`, or an object of such.
 *
 * ```ts
 * bind(ImageStaging, { images: ImageRepository, clock: Clock }, from(Settings, ({ images }) => images.maxBytes))
 * ```
 */
export function bind<T, A extends readonly unknown[]>(
  target: new (...args: A) => T,
  ...origins: { readonly [I in keyof A]: ArgumentOrigin<A[I]> }
): FactoryProvider<T> {
  const tokens: InjectionToken[] = [];
  const builders = origins.map((origin) => argumentBuilder(origin as ArgumentOrigin<unknown>, tokens));
  const argumentsOf = (found: readonly unknown[]): readonly unknown[] => builders.map((build) => build(found));
  return {
    provide: target,
    inject: tokens,
    useFactory: (...found: unknown[]) => new target(...(argumentsOf(found) as A)),
  };
}

type Builder = (found: readonly unknown[]) => unknown;

function argumentBuilder(origin: ArgumentOrigin<unknown>, tokens: InjectionToken[]): Builder {
  if (isClass(origin) || isDerived(origin)) return valueBuilder(origin, tokens);
  const parts = Object.entries(origin as Readonly<Record<string, Origin<unknown>>>).map(
    ([name, part]) => [name, valueBuilder(part, tokens)] as const,
  );
  return (found) => Object.fromEntries(parts.map(([name, build]) => [name, build(found)]));
}

function valueBuilder(origin: Origin<unknown>, tokens: InjectionToken[]): Builder {
  const place = tokens.length;
  if (isDerived(origin)) {
    tokens.push(origin.token);
    return (found) => origin.derive(found[place] as never);
  }
  tokens.push(origin as InjectionToken);
  return (found) => found[place];
}

function isClass(origin: unknown): origin is ClassOf<unknown> {
  return typeof origin === 'function';
}

function isDerived(origin: unknown): origin is Derived<unknown> {
  return typeof origin === 'object' && origin !== null && DERIVED in origin;
}
