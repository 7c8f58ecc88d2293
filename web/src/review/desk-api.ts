import { ask, askBlob, rememberCsrfToken } from '../shared/api.js';
import type { Banner, DeskCourse, DeskSession, Report } from './types.js';

const linkId = location.pathname.split('/')[2] ?? '';
const base = `/review/api/v1/${encodeURIComponent(linkId)}`;
let opening: Promise<DeskSession> | null = null;

export const hasLink = linkId !== '';

/** Trades what stands behind `#` for a session; without it, the session that the browser still holds. Once, however often it is asked for. */
export function openDesk(): Promise<DeskSession> {
  opening ??= startDesk();
  return opening;
}

async function startDesk(): Promise<DeskSession> {
  const link = location.hash.slice(1);
  const { data } =
    link === ''
      ? await ask<DeskSession>('GET', `${base}/session`)
      : await ask<DeskSession>('POST', `${base}/session`, { body: { link } });
  // It opens nothing any more, and need not stand in the history.
  history.replaceState(null, '', location.pathname);
  rememberCsrfToken(data.csrfToken);
  return data;
}

/** The series as it stands now. */
export const readSession = async (): Promise<DeskSession> => (await ask<DeskSession>('GET', `${base}/session`)).data;
export const readReport = (id: string) => ask<Report>('GET', `${base}/reports/${id}`);
export const readBanner = async (id: string, language: string): Promise<Banner> =>
  (await ask<Banner>('GET', `${base}/reports/${id}/banner?language=${language}`)).data;
export const readCourse = (id: string, language: string) =>
  ask<DeskCourse>('GET', `${base}/reports/${id}/course?lang=${language}`);
export const readPicture = (id: string, kind: 'photo' | 'tissue') => askBlob(`${base}/reports/${id}/${kind}`);
export const sendReview = (id: string, ifMatch: string, body: object) =>
  ask<Report>('POST', `${base}/reports/${id}/reviews`, { body, ifMatch });

/** Tells the page around this one what happened, and no other page. */
export function notifyFrame(
  { frameOrigin }: DeskSession,
  kind: 'opened' | 'decided' | 'ended',
  facts: Readonly<Record<string, string>>,
): void {
  if (frameOrigin !== null && window.parent !== window)
    window.parent.postMessage({ source: 'sutura-desk', kind, ...facts }, frameOrigin);
}
