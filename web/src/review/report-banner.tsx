import { useEffect, useState } from 'react';
import { Button } from '../shared/components/controls.js';
import { readBanner } from './desk-api.js';
import { FaultNotice } from './fault-notice.js';
import type { Banner } from './types.js';
import type { Words } from './words/en.js';

export interface ReadBanner {
  readonly banner: Banner | null;
  readonly fault: unknown;
  readonly retry: () => void;
}

/** Who and which wound that version is about; null while it is read, and where it could not be. */
export function useBanner(reportId: string, version: number, language: string): ReadBanner {
  const [read, setRead] = useState<{ readonly version: number; readonly banner: Banner } | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isWanted = true;
    setFault(null);
    readBanner(reportId, language).then(
      (banner) => isWanted && setRead({ version, banner }),
      (refusal: unknown) => isWanted && setFault(refusal),
    );
    return () => {
      isWanted = false;
    };
  }, [reportId, version, language, attempt]);
  const banner = read?.version === version ? read.banner : null;
  return { banner, fault, retry: () => setAttempt((known) => known + 1) };
}

/** Whose wound it is: before the photo, on each screen. */
export function ReportBanner({ banner, fault, retry, words }: ReadBanner & { readonly words: Words }) {
  if (banner === null)
    return fault === null ? (
      <p role="status">{words.opening}</p>
    ) : (
      <div>
        <FaultNotice fault={fault} words={words} />
        <Button onPress={retry}>{words.tryAgain}</Button>
      </div>
    );
  return (
    <section className="desk-banner" aria-label={words.subject}>
      <dl>
        {banner.facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {banner.clinicalContext === null ? null : (
        <p className="desk-context" tabIndex={0}>
          {banner.clinicalContext}
        </p>
      )}
    </section>
  );
}
