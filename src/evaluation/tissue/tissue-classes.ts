/** What experts' tissue masks hold, by value. */
export const LABELLED_CLASSES = ['background', 'slough', 'granulation', 'callus'] as const;

/** The tissues among them: every class but the background. */
export const TISSUE_NAMES = ['slough', 'granulation', 'callus'] as const;

/** The labelled classes, and behind them those that only the model knows. */
export function classesOf(modelClasses: readonly string[]): string[] {
  return [
    ...LABELLED_CLASSES,
    ...modelClasses.filter((name) => !(LABELLED_CLASSES as readonly string[]).includes(name)),
  ];
}
