import type { ModelUsed } from '../../../src/core/measurement/wound-result.js';
import type { Estimate } from '../metrics/bootstrap.js';

/** A line of the table that people read: a figure with its interval, or text in place of both. */
export type TableLine = readonly [name: string, figure: string, interval?: string];

const NAME_WIDTH = 44;
const FIGURE_WIDTH = 12;

/** Writes a figure that is not defined as a dash. */
type FormatFigure = (value: number | null) => string;

export const share: FormatFigure = (value) => (value === null ? '–' : value.toFixed(3));
export const perCent: FormatFigure = (value) => (value === null ? '–' : `${(value * 100).toFixed(1)} %`);
export const pixels: FormatFigure = (value) => (value === null ? '–' : `${value.toFixed(1)} px`);

/** A line with the 95 % interval behind the figure, where there is one. */
export function estimateLine(name: string, { value, lower, upper }: Estimate, format: FormatFigure): TableLine {
  return [name, format(value), lower === null || upper === null ? '' : `${format(lower)} to ${format(upper)}`];
}

/** Sections of lines under their titles, aligned. */
export function toText(sections: readonly { readonly title: string; readonly lines: readonly TableLine[] }[]): string {
  return sections
    .map(({ title, lines }) =>
      [
        title,
        ...lines.map(([name, figure, interval = '']) =>
          `  ${name.padEnd(NAME_WIDTH)}${figure.padStart(FIGURE_WIDTH)}   ${interval}`.trimEnd(),
        ),
      ].join('\n'),
    )
    .join('\n\n');
}

/** The models that gave the figures, and the provider that they ran on. */
export function modelsLine({
  models,
  executionProvider,
}: {
  readonly models: readonly ModelUsed[];
  readonly executionProvider: string;
}): string {
  return `${models.map(({ name, version, sha256 }) => `${name} ${version} (sha256 ${sha256.slice(0, 12)}…)`).join(', ')} on ${executionProvider}`;
}
