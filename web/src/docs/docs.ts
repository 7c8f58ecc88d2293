import MiniSearch, { type SearchResult } from 'minisearch';

/** Of search.json: place of the page, its title, anchor and heading of the section, its words. */
type Row = readonly [place: string, page: string, anchor: string, heading: string, text: string];

const MOST_RESULTS = 20;
const EXCERPT_LENGTH = 160;
const SITE = new URL('../', import.meta.url);

const element = <Kind extends HTMLElement>(selector: string): Kind => document.querySelector<Kind>(selector)!;
const input = element<HTMLInputElement>('#site-words');
const panel = element('#site-found');
const status = element('#site-found p');
const list = element('#site-found ol');

interface Found {
  readonly rows: readonly Row[];
  readonly index: MiniSearch;
}

let opening: Promise<Found> | undefined;

/** The sections are read when somebody first searches. */
function open(): Promise<Found> {
  opening ??= read().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

async function read(): Promise<Found> {
  const answer = await fetch(new URL('assets/search.json', SITE));
  if (!answer.ok) throw new Error(`search.json: ${answer.status}`);
  const rows = (await answer.json()) as readonly Row[];
  const index = new MiniSearch({
    fields: ['heading', 'page', 'text'],
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.1, combineWith: 'AND' },
  });
  await index.addAllAsync(rows.map(([, page, , heading, text], id) => ({ id, page, heading, text })));
  return { rows, index };
}

/** The words around the first that was found. */
function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - EXCERPT_LENGTH / 4);
  const begin = places.length === 0 || start === 0 ? 0 : text.indexOf(' ', start) + 1;
  const part = text.slice(begin, begin + EXCERPT_LENGTH);
  return `${begin > 0 ? '… ' : ''}${part}${begin + EXCERPT_LENGTH < text.length ? ' …' : ''}`;
}

function itemOf([place, page, anchor, heading, text]: Row, terms: readonly string[]): HTMLLIElement {
  const link = document.createElement('a');
  const address = new URL(place, SITE);
  address.hash = anchor;
  link.href = address.href;
  const title = document.createElement('strong');
  title.textContent = heading === '' || heading === page ? page : `${page} › ${heading}`;
  const excerpt = document.createElement('span');
  excerpt.textContent = excerptOf(text, terms);
  link.append(title, excerpt);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function show(results: readonly SearchResult[], rows: readonly Row[]): void {
  const shown = results.slice(0, MOST_RESULTS);
  const more = results.length > shown.length ? ` The first ${shown.length} are shown.` : '';
  status.textContent = results.length === 0 ? 'Nothing was found.' : `${results.length} found.${more}`;
  list.replaceChildren(...shown.map(({ id, terms }) => itemOf(rows[id as number]!, terms)));
  panel.hidden = false;
}

async function search(): Promise<void> {
  const words = input.value.trim();
  if (words === '') return close();
  try {
    const { rows, index } = await open();
    // Somebody may have typed on meanwhile.
    if (input.value.trim() === words) show(index.search(words), rows);
  } catch {
    status.textContent = 'The search cannot be read. Is the service reached?';
    list.replaceChildren();
    panel.hidden = false;
  }
}

function close(): void {
  panel.hidden = true;
  list.replaceChildren();
}

/** Arrow keys lead from the field through what was found, and back. */
function move(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || panel.hidden) return;
  const stops: HTMLElement[] = [input, ...list.querySelectorAll('a')];
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

element('#site-search').hidden = false;
input.addEventListener('focus', () => void open().catch(() => undefined));
input.addEventListener('input', () => void search());
element('#site-search').addEventListener('keydown', (event) => {
  // What is shown may still be of the words before.
  if (event.key === 'Enter' && document.activeElement === input)
    void search().then(() => list.querySelector('a')?.click());
  else if (event.key === 'Escape') {
    close();
    input.focus();
  } else move(event);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || document.activeElement === input) return;
  event.preventDefault();
  input.focus();
});
document.addEventListener('click', (event) => {
  const target = event.target as HTMLElement;
  if (target.closest('#site-found a') !== null || target.closest('#site-search') === null) close();
});
