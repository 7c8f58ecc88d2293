import type { DraftContent } from './types.js';

/** What the service has not got yet, in this tab alone. */
export interface TabDraft {
  readonly content: DraftContent;
  /** Revisions of the draft that this one takes the place of. */
  readonly follows: readonly string[];
  /** Of those the one that stood; null: none did. */
  readonly standing: string | null;
}

/** Whose copies of a tab are meant. */
export interface TabAuthor {
  readonly author: string;
  readonly linkId: string;
}

interface Kept extends TabDraft {
  readonly form: number;
  readonly linkId: string;
  readonly keptAt: number;
}

const FORM = 1;
const PREFIX = 'sutura-desk-draft ';
/** A weekend. What lies longer in a tab is not waited for. */
const MOST_MS = 3 * 24 * 3_600_000;
/** Under the id of whose it is: who opens the next link in this tab does not go on with another's lines. */
const keyOf = (reportId: string, author: string): string => `${PREFIX}${reportId} ${author}`;

/** null: the service has all of it. */
export function tabDraftOf(reportId: string, { author, linkId }: TabAuthor): TabDraft | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(reportId, author)) ?? 'null') as Kept | null;
    if (kept === null) return earlierDraftOf(reportId, author);
    if (kept.form !== FORM) return null;
    const { content, follows, standing } = kept;
    // A name belongs to the link at which it was typed.
    const work = kept.linkId === linkId ? content.work : { ...content.work, reviewerName: '' };
    return { content: { ...content, work }, follows, standing };
  } catch {
    return null;
  }
}

/** False where the browser keeps nothing for this page. null: nothing is to be kept any more. */
export function keepTabDraft(reportId: string, { author, linkId }: TabAuthor, draft: TabDraft | null): boolean {
  try {
    sessionStorage.removeItem(earlierKeyOf(reportId, author));
    const kept = { ...draft, form: FORM, linkId, keptAt: Date.now() };
    if (draft === null) sessionStorage.removeItem(keyOf(reportId, author));
    else sessionStorage.setItem(keyOf(reportId, author), JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** Removes what nobody is given back: drafts of other links that named nobody, and old ones; `hasEnded`: those of this link, too. */
export function sweepTabDrafts({ author }: Pick<TabAuthor, 'author'>, hasEnded = false): void {
  try {
    for (const key of Object.keys(sessionStorage).filter((one) => one.startsWith('sutura-desk'))) {
      const of = key.split(' ').slice(2).join(' ');
      const isOfLink = of === '' || of.startsWith('link:');
      const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<Kept> | null;
      const isOld = kept?.keptAt !== undefined && Date.now() - kept.keptAt > MOST_MS;
      if (isOld || (isOfLink && (hasEnded || of !== author))) sessionStorage.removeItem(key);
    }
  } catch {
    // A browser that keeps nothing for this page.
  }
}

/** Where the page of the release before kept the lines of a person. */
const earlierKeyOf = (reportId: string, author: string): string =>
  `sutura-desk ${reportId} ${author.replace(/^(?:person|user):/, '')}`;

/** Its lines are not lost with the update; those of a link that named nobody are nobody's. */
function earlierDraftOf(reportId: string, author: string): TabDraft | null {
  if (author.startsWith('link:')) return null;
  const kept = JSON.parse(sessionStorage.getItem(earlierKeyOf(reportId, author)) ?? 'null') as {
    outlines?: unknown;
    mmPerPixel?: unknown;
    version?: unknown;
  } | null;
  if (kept === null || !Array.isArray(kept.outlines)) return null;
  const work = {
    outlines: kept.outlines,
    mmPerPixel: typeof kept.mmPerPixel === 'number' ? kept.mmPerPixel : null,
    reviewerName: '',
    note: '',
    reassignment: null,
    ruler: null,
    screen: { tool: 'points', isTissueShown: false },
  } as DraftContent['work'];
  return {
    content: { reportVersion: typeof kept.version === 'number' ? kept.version : 1, work },
    follows: [],
    standing: null,
  };
}
