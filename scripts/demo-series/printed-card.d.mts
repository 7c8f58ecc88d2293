export const CARD: { readonly widthMm: number; readonly heightMm: number };
export const PAPER: readonly number[];
export const INK: readonly number[];
export function cardLight(x: number, y: number): readonly number[] | null;
