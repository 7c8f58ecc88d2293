import { useEffect, useState } from 'react';
import { documentAddress, readVersions } from './desk-api.js';
import { FaultNotice } from './fault-notice.js';
import type { DeskPart } from './report-panel.js';
import { isSame } from './statements.js';
import { decisionWord, statusWord } from './status-words.js';
import { momentNamed } from './time-taken.js';
import type { Report } from './types.js';
import { fill, scaleWord } from './words/words.js';

interface VersionsProps extends Pick<DeskPart, 'words' | 'language'> {
  readonly report: Report;
}

/** Each version of the report, the present one first: who made it, what is other than in the one before, and its document. */
export function VersionsPanel({ report, words, language }: VersionsProps) {
  const [versions, setVersions] = useState<readonly Report[] | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  useEffect(() => {
    let isWanted = true;
    setFault(null);
    readVersions(report.id).then(
      (read) => isWanted && setVersions(read),
      (refusal: unknown) => isWanted && setFault(refusal),
    );
    return () => {
      isWanted = false;
    };
  }, [report.id, report.version]);
  if (versions === null)
    return fault === null ? <p role="status">{words.opening}</p> : <FaultNotice fault={fault} words={words} />;
  return (
    <ul className="desk-versions" aria-label={words.versions}>
      {versions.toReversed().map((one) => (
        <VersionRow
          key={one.version}
          version={one}
          before={versions.find(({ version }) => version === one.version - 1) ?? null}
          {...{ words, language }}
        />
      ))}
    </ul>
  );
}

interface RowProps extends Pick<DeskPart, 'words' | 'language'> {
  readonly version: Report;
  /** null: it is the first. */
  readonly before: Report | null;
}

function VersionRow({ version, before, words, language }: RowProps) {
  const { review } = version;
  const changes = before === null ? [] : changesSince(before, version, { words, language });
  const link = (as: 'pdf' | 'html', word: string) => (
    <a href={documentAddress(version.id, version.version, as, language)} target="_blank" rel="noreferrer">
      {word}
    </a>
  );
  return (
    <li>
      <p>
        <strong>{fill(words.versionNumber, { version: version.version })}</strong> · {statusWord(version.status, words)}{' '}
        · {momentNamed(version.issuedAt, language)}
      </p>
      {review === null ? null : (
        <p>
          {decisionWord(review.decision, words)}: {review.reviewer.name}
          {review.note === null || review.note === '' ? '' : ` · “${review.note}”`}
        </p>
      )}
      {before === null ? null : <p>{changes.length === 0 ? words.sameFigures : changes.join(' · ')}</p>}
      <p className="desk-tools">
        {link('pdf', words.asPdf)}
        {link('html', words.asPage)}
      </p>
    </li>
  );
}

/** What a reader of the later version has to know about the one before. */
function changesSince(
  before: Report,
  now: Report,
  { words, language }: Pick<DeskPart, 'words' | 'language'>,
): string[] {
  const areas = [before, now].map(({ findings }) => findings.figures?.area.cm2?.value ?? null);
  const scales = [before, now].map(({ findings }) => findings.scale.mmPerPixel);
  const figure = (value: number | null) => (value === null ? words.noArea : `${value.toLocaleString(language)} cm²`);
  const scale = (value: number | null) => (value === null ? '–' : scaleWord(value, language));
  return [
    ...(areas[0] === areas[1] ? [] : [`${words.area}: ${figure(areas[0]!)} → ${figure(areas[1]!)}`]),
    ...(isSame(before.findings.outlines, now.findings.outlines) ? [] : [words.outlineChanged]),
    ...(scales[0] === scales[1] ? [] : [`${words.scaleChanged}: ${scale(scales[0]!)} → ${scale(scales[1]!)}`]),
    ...(isSame(before.findings.tissue, now.findings.tissue) ? [] : [words.tissueChanged]),
    ...(isSame(before.clinicianObservations, now.clinicianObservations) ? [] : [words.formChanged]),
  ];
}
