import { bind, from } from './bind.js';

abstract class Clock {
  abstract now(): Date;
}
class Limits {
  readonly bytes = 7;
}
class Sizes {
  constructor(readonly limitBytes: number) {}
}
class Keeper {
  constructor(
    readonly ports: { readonly clock: Clock; readonly tell: (text: string) => string },
    readonly sizes: Sizes,
    readonly limitBytes: number,
  ) {}
}

describe('a class that is bound', () => {
  it('is refused by the compiler with an argument of another class, without one, or with one too many', () => {
    const LIMIT = from(Limits, ({ bytes }) => bytes);
    const tell = from(Limits, () => (text: string) => text);
    // @ts-expect-error a clock is no Limits
    expect(bind(Keeper, { clock: Limits, tell }, Sizes, LIMIT).inject).toHaveLength(4);
    // @ts-expect-error the clock is missing
    expect(bind(Keeper, { tell }, Sizes, LIMIT).inject).toHaveLength(3);
    // @ts-expect-error a number is wanted
    expect(bind(Sizes, Limits).inject).toHaveLength(1);
  });

  it('asks for each of its ports by its class and is made of what was found', () => {
    const clock = { now: () => new Date(0) };
    const provider = bind(
      Keeper,
      {
        clock: Clock,
        tell: from(
          Limits,
          ({ bytes }) =>
            (text: string) =>
              `${text} ${bytes}`,
        ),
      },
      Sizes,
      from(Limits, ({ bytes }) => bytes),
    );
    expect([provider.provide, provider.inject]).toEqual([Keeper, [Clock, Limits, Sizes, Limits]]);
    const sizes = new Sizes(3);
    const keeper = provider.useFactory(clock, new Limits(), sizes, new Limits()) as Keeper;
    expect([keeper.ports.clock, keeper.sizes, keeper.limitBytes, keeper.ports.tell('bytes')]).toEqual([
      clock,
      sizes,
      7,
      'bytes 7',
    ]);
  });
});
