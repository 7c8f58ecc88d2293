import { useEffect, useState } from 'react';
import { RefusalNotice } from '../shared/components/refusal-notice.js';
import { useTheme } from '../shared/theme.js';
import { hasLink, openDesk } from './desk-api.js';
import { ReportPanel } from './report-panel.js';
import './review-desk.css';
import type { DeskSession } from './types.js';
import { chooseWords, fill } from './words/words.js';

/** The desk of one report or wound; without a link it says where one comes from. */
export function ReviewDesk() {
  useTheme();
  const [session, setSession] = useState<DeskSession | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    if (hasLink) openDesk().then(setSession, setFault);
  }, []);
  const { words, language } = chooseWords(session?.language ?? null);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = words.title;
  }, [language, words]);
  if (session === null)
    return (
      <main className="desk">
        <h1>{words.title}</h1>
        <RefusalNotice fault={fault} />
        {fault === null ? <p>{hasLink ? words.opening : words.noLink}</p> : null}
      </main>
    );
  const reportId = shown ?? session.reportId;
  const place = session.series.findIndex((one) => one.reportId === reportId);
  const until = new Date(session.expiresAt).toLocaleTimeString(language, { timeStyle: 'short' });
  return (
    <main className="desk">
      <header className="desk-tools">
        <h1>{words.title}</h1>
        <span className="hint">{fill(words.until, { time: until })}</span>
      </header>
      {session.series.length < 2 ? null : (
        <label>
          {words.series}
          <input
            className="desk-slider"
            type="range"
            min={0}
            max={session.series.length - 1}
            value={Math.max(0, place)}
            aria-valuetext={new Date(session.series[Math.max(0, place)]!.capturedAt).toLocaleDateString(language)}
            onChange={(event) => setShown(session.series[Number(event.target.value)]!.reportId)}
          />
        </label>
      )}
      <ReportPanel key={reportId} reportId={reportId} session={session} words={words} language={language} />
    </main>
  );
}
