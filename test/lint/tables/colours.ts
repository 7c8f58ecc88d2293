/** What rules.spec.ts looks for. */
export const COLOURS = ['red', 'green', 'blue'] as const;
export type Colour = (typeof COLOURS)[number];
export type Shape = 'circle' | 'square' | 'triangle';
export type Side = 'left' | 'right';
