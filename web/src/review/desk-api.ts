import { ask, askBlob, Refusal, rememberCsrfToken, type Answer, type Ask } from '../shared/api.js';
import type {
  Banner,
  DeskCourse,
  DeskDraft,
  DeskFormFacts,
  DeskLasting,
  DeskSession,
  KeptDraft,
  Report,
  Surroundings,
} from './types.js';
import type { SentDraft } from './draft-state.js';

/** Of this page's address. */
export const linkId = location.pathname.split('/')[2] ?? '';
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
  return withAuthor(data);
}

/** The release before, which may still answer while another takes its place, does not say whose drafts these are, and knows no desk of a patient or a list. */
function withAuthor(session: SaidSession): DeskSession {
  const {
    person,
    author = person === null ? `link:${linkId}` : `person:${person}`,
    wounds = [],
    list = [],
    idleS = null,
  } = session;
  return { ...session, author, wounds, list, idleS };
}

type Later = 'author' | 'wounds' | 'list' | 'idleS';
type SaidSession = Omit<DeskSession, Later> & Partial<Pick<DeskSession, Later>>;

/** Nobody waits longer for what a page does by itself. */
const BY_ITSELF = { timeoutMs: 10_000 };
const watchers = new Set<() => void>();

/** Calls `listener` where the service says that this desk has ended. */
export function whenEnded(listener: () => void): () => void {
  watchers.add(listener);
  return () => void watchers.delete(listener);
}

async function askDesk<T>(method: string, path: string, options: Ask = {}): Promise<Answer<T>> {
  try {
    return await ask<T>(method, path, options);
  } catch (fault) {
    if (fault instanceof Refusal && fault.code === 'review.session') for (const watcher of watchers) watcher();
    throw fault;
  }
}

/** The series as it stands now. */
export const readSession = async (): Promise<DeskSession> =>
  withAuthor((await askDesk<DeskSession>('GET', `${base}/session`)).data);
/** Somebody is at the page. Returns until when the desk lasts. */
export const tellUsed = async (): Promise<string> =>
  (await askDesk<DeskLasting>('GET', `${base}/session?used=true`, BY_ITSELF)).data.expiresAt;
export const readReport = (id: string) => askDesk<Report>('GET', `${base}/reports/${id}`);
export const readBanner = async (id: string, language: string): Promise<Banner> =>
  (await askDesk<Banner>('GET', `${base}/reports/${id}/banner?language=${language}`)).data;
export const readCourse = (id: string, language: string) =>
  askDesk<DeskCourse>('GET', `${base}/reports/${id}/course?lang=${language}`);
export const readFormFacts = async (id: string, language: string) =>
  (await askDesk<DeskFormFacts>('GET', `${base}/reports/${id}/form?lang=${language}`)).data;
/** Something of the wound itself; answers the version that stands then. */
export const sendWoundStep = (id: string, path: string, ifMatch: string, body: object) =>
  askDesk<{ readonly version: number }>('POST', `${base}/reports/${id}/${path}`, { body, ifMatch });
export const readVersions = async (id: string) =>
  (await askDesk<{ readonly items: readonly Report[] }>('GET', `${base}/reports/${id}/versions`)).data.items;
/** Opened by the browser itself, in a tab of its own. */
export const documentAddress = (id: string, version: number, as: 'pdf' | 'html', language: string) =>
  `${base}/reports/${id}/versions/${version}/document?as=${as}&lang=${language}`;
export const readDocument = (address: string) => askBlob(address);
export const readCurve = (id: string, language: string) => askBlob(`${base}/reports/${id}/curve?lang=${language}`);
export const readPicture = (id: string, kind: 'photo' | 'tissue') => askBlob(`${base}/reports/${id}/${kind}`);
/** `revisions`: of the draft that the decision is made of, and that ends with it. */
export const sendReview = (id: string, ifMatch: string, body: object, revisions: readonly string[]) =>
  askDesk<Report>(
    'POST',
    `${base}/reports/${id}/reviews${revisions.length === 0 ? '' : `?draft=${revisions.join(',')}`}`,
    {
      body,
      ifMatch,
    },
  );

export const readDraft = async (id: string) =>
  (await askDesk<DeskDraft>('GET', `${base}/reports/${id}/draft`, BY_ITSELF)).data.draft;
export const saveDraft = async (id: string, body: SentDraft) =>
  (
    await askDesk<KeptDraft>('PUT', `${base}/reports/${id}/draft`, {
      body,
      // The last change may be on its way when the page goes; browsers carry no more than 64 KiB then.
      keepalive: JSON.stringify(body).length < 50_000,
      ...BY_ITSELF,
    })
  ).data.savedAt;
export const discardDraft = async (id: string, revisions: readonly string[]) =>
  void (await askDesk('DELETE', `${base}/reports/${id}/draft`, { body: { revisions }, keepalive: true, ...BY_ITSELF }));
export const tellOpen = async (id: string, tabId: string) =>
  (await askDesk<Surroundings>('POST', `${base}/reports/${id}/presence`, { body: { tabId }, ...BY_ITSELF })).data;
/** Outlives the page that sends it. */
export const tellLeft = (id: string, tabId: string) =>
  askDesk('POST', `${base}/reports/${id}/presence`, {
    body: { tabId, isLeaving: true },
    keepalive: true,
    ...BY_ITSELF,
  });

/** Tells the page around this one what happened, and no other page. `decided`: about the report; `recorded`: of the wound, while the report waits as before. */
export function notifyFrame(
  { frameOrigin }: DeskSession,
  kind: 'opened' | 'decided' | 'recorded' | 'ended',
  facts: Readonly<Record<string, string>>,
): void {
  if (frameOrigin !== null && window.parent !== window)
    window.parent.postMessage({ source: 'sutura-desk', kind, ...facts }, frameOrigin);
}
