import type { Rule } from 'eslint';

export const sutura: {
  readonly meta: { readonly name: string; readonly version: string };
  readonly rules: Readonly<
    Record<
      'cast-with-reason' | 'no-clock-comparison' | 'no-late-rejection' | 'no-waiting-for-time' | 'record-by-union',
      Rule.RuleModule
    >
  >;
};
