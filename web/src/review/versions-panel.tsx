import { useEffect, useState, type MouseEvent } from 'react';
import { Button } from '../shared/components/controls.js';
import { documentAddress, readDocument, readVersions } from './desk-api.js';
import { FaultNotice } from './fault-notice.js';
import type { DeskPart } from './desk-part.js';
import { openDocument } from './open-documents.js';
import { isSame } from './statements.js';
import { decisionWord, statusWord } from './status-words.js';
import { momentNamed } from './time-taken.js';
import type { Report } from './types.js';
import { verdictWord } from './verdict-tones.js';
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
    setVersions(null);
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
        <DocumentWay {...{ version, words, language }} as="pdf" word={words.asPdf} />
        <DocumentWay {...{ version, words, language }} as="html" word={words.asPage} />
      </p>
    </li>
  );
}

interface DocumentProps extends Pick<DeskPart, 'words' | 'language'> {
  readonly version: Report;
  readonly as: 'pdf' | 'html';
  readonly word: string;
}

/** Opens a tab of its own, which ends with the desk; in a frame, whose cookie no other tab has, it is saved as a file. */
function DocumentWay({ version: { id, version }, as, word, words, language }: DocumentProps) {
  const [fault, setFault] = useState<unknown>(null);
  const address = documentAddress(id, version, as, language);
  const open = (event: MouseEvent) => {
    // By the first or the middle button; the menu is the browser's own.
    if (event.button <= 1 && openDocument(address)) event.preventDefault();
  };
  if (window.top === window)
    return (
      <a href={address} target="_blank" rel="noreferrer" onClick={open} onAuxClick={open}>
        {word}
      </a>
    );
  const save = async () => {
    setFault(null);
    try {
      saveAs(await readDocument(address), `report-${id}-v${version}.${as}`);
    } catch (refusal) {
      setFault(refusal);
    }
  };
  return (
    <>
      <Button onPress={() => void save()}>{word}</Button>
      <FaultNotice fault={fault} words={words} />
    </>
  );
}

function saveAs(document_: Blob, name: string): void {
  const url = URL.createObjectURL(document_);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** What a reader of the later version has to know about the one before. */
function changesSince(
  before: Report,
  now: Report,
  { words, language }: Pick<DeskPart, 'words' | 'language'>,
): string[] {
  const areas = [before, now].map(({ findings }) => findings.figures?.area.cm2?.value ?? null);
  const scales = [before, now].map(({ findings }) => findings.scale.mmPerPixel);
  const verdicts = [before, now].map(({ comparison }) => comparison.course?.verdict ?? null);
  const figure = (value: number | null) => (value === null ? words.noArea : `${value.toLocaleString(language)} cm²`);
  const scale = (value: number | null) => (value === null ? '–' : scaleWord(value, language));
  return [
    ...(areas[0] === areas[1] ? [] : [`${words.area}: ${figure(areas[0]!)} → ${figure(areas[1]!)}`]),
    ...(isSame(before.findings.outlines, now.findings.outlines) ? [] : [words.outlineChanged]),
    ...(scales[0] === scales[1] ? [] : [`${words.scaleChanged}: ${scale(scales[0]!)} → ${scale(scales[1]!)}`]),
    ...(verdicts[0] === verdicts[1]
      ? []
      : [`${words.verdict}: ${verdicts.map((one) => verdictWord(one, words)).join(' → ')}`]),
    ...(isSame(before.findings.tissue, now.findings.tissue) ? [] : [words.tissueChanged]),
    ...(isSame(before.clinicianObservations, now.clinicianObservations) ? [] : [words.formChanged]),
  ];
}
