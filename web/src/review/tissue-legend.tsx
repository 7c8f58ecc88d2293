import { TISSUE_TABLE, TISSUES, type Tissue } from '../../../src/core/tissue/tissues.js';
import type { Report } from './types.js';
import type { Words } from './words/en.js';

interface TissueLegendProps {
  readonly tissue: NonNullable<Report['findings']['tissue']>;
  readonly words: Words;
  readonly language: string;
}

/** What the wound bed consists of, in words and percent, with the colour of the picture beside each. */
export function TissueLegend({ tissue, words, language }: TissueLegendProps) {
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
  const methods = (tissue.method ?? {}) as Readonly<Partial<Record<Tissue, string>>>;
  return (
    <dl className="desk-figures" aria-label={words.tissues}>
      {TISSUES.map((name) => (
        <TissueRow
          key={name}
          colour={TISSUE_TABLE[name].colour}
          title={words[name]}
          share={percent.format(Number(tissue[name] ?? 0))}
          note={methods[name] === 'cielab_rule' ? words.byColour : null}
        />
      ))}
    </dl>
  );
}

interface TissueRowProps {
  readonly colour: string;
  readonly title: string;
  readonly share: string;
  readonly note: string | null;
}

function TissueRow({ colour, title, share, note }: TissueRowProps) {
  return (
    <div className="desk-figure">
      <dt>
        <svg className="desk-swatch" viewBox="0 0 12 12" aria-hidden="true">
          <rect width="12" height="12" fill={colour} />
        </svg>{' '}
        {title}
        {note === null ? null : <span className="hint"> {note}</span>}
      </dt>
      <dd>{share}</dd>
    </div>
  );
}
