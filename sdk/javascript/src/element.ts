/// <reference lib="dom" />
import type { Language } from './follow-up-options.js';

/** What the element says, in the languages of the desk. */
const WORDS: Readonly<
  Record<Language, { readonly [name in 'label' | 'opening' | 'ended' | 'again' | 'failed']: string }>
> = {
  en: {
    label: 'Wound: course and latest report',
    opening: 'Opening …',
    ended: 'This view has ended.',
    again: 'Show again',
    failed: 'The wound could not be shown. Try again; if it stays so, tell support.',
  },
  de: {
    label: 'Wunde: Verlauf und letzter Bericht',
    opening: 'Wird geöffnet …',
    ended: 'Diese Ansicht ist beendet.',
    again: 'Noch einmal zeigen',
    failed:
      'Die Wunde konnte nicht gezeigt werden. Versuchen Sie es noch einmal; bleibt es so, melden Sie es dem Support.',
  },
  es: {
    label: 'Herida: evolución y último informe',
    opening: 'Abriendo …',
    ended: 'Esta vista ha terminado.',
    again: 'Mostrar de nuevo',
    failed: 'No se pudo mostrar la herida. Inténtelo de nuevo; si persiste, avise al soporte.',
  },
  fr: {
    label: 'Plaie : évolution et dernier rapport',
    opening: 'Ouverture …',
    ended: 'Cet affichage est terminé.',
    again: 'Afficher de nouveau',
    failed: 'La plaie n’a pas pu être affichée. Réessayez ; si cela persiste, signalez-le au support.',
  },
};

/** A page's server that has not answered by then is said to have failed. */
const PATIENCE_MS = 20_000;

const STYLE = `
:host { display: block; min-height: 24rem; color-scheme: light dark; font: inherit; }
:host([hidden]) { display: none; }
.frame { display: block; width: 100%; height: var(--sutura-wound-height, 48rem); border: 0; border-radius: 8px; }
.note { margin: 0; padding: 1rem; }
button { font: inherit; min-height: 2.75rem; padding: 0 1rem; cursor: pointer; }
`;

/** What `sutura-wound` tells: the desk behind it was opened, or it ended. */
export interface SuturaWoundEventDetail {
  readonly reportId?: string;
}

/**
 * `<sutura-wound link-endpoint="/wounds/W1/link">`: course and latest report of a wound, read only, as the review desk of the gateway shows
 * them in a frame of its own. The page never has a key: its server makes a link by `createReviewLink` with `mode: 'read'`, `of: 'wound'` and the page's
 * `frameOrigin`, and answers a POST to `link-endpoint` with `{ "url": … }`. Each showing needs a new link, which the element asks for itself.
 *
 * Attributes: `link-endpoint`; or `link`, one that the page has already; `lang`. Events: `sutura-opened`, `sutura-ended`, `sutura-failed`.
 */
class SuturaWoundElement extends HTMLElement {
  static readonly observedAttributes: readonly string[] = ['link', 'link-endpoint'];
  private readonly root: ShadowRoot = this.attachShadow({ mode: 'open' });
  private frame: HTMLIFrameElement | null = null;
  /** Of the showing that counts: what an earlier one still brings is dropped. */
  private turn = 0;
  private isDue = false;

  connectedCallback(): void {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.root.adoptedStyleSheets = [sheet];
    window.addEventListener('message', this.onMessage);
    this.showOnce();
  }

  disconnectedCallback(): void {
    window.removeEventListener('message', this.onMessage);
    this.turn += 1;
    this.put();
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.showOnce();
  }

  /** Attributes and the element itself come one after another, and each showing needs a link of its own. */
  private showOnce(): void {
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      if (this.isConnected) void this.show();
    });
  }

  /** Asks for a link and shows what it opens. */
  async show(): Promise<void> {
    const turn = ++this.turn;
    const words = this.words();
    this.put(this.note(words.opening));
    try {
      const address = await this.link();
      if (turn !== this.turn || address === null) return;
      this.frame = document.createElement('iframe');
      Object.assign(this.frame, {
        className: 'frame',
        title: this.getAttribute('label') ?? words.label,
        src: address.href,
      });
      this.frame.referrerPolicy = 'no-referrer';
      this.frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-downloads');
      this.put(this.frame);
    } catch {
      if (turn !== this.turn) return;
      this.put(this.note(words.failed), this.again());
      this.tell('failed', {});
    }
  }

  /** null: the page has not said where a link comes from. */
  private async link(): Promise<URL | null> {
    const given = this.getAttribute('link');
    if (given !== null) return deskAddress(given);
    const endpoint = this.getAttribute('link-endpoint');
    if (endpoint === null) return null;
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
    try {
      const asked = { method: 'POST', credentials: 'same-origin', signal: patience.signal } as const;
      const reply = await fetch(new URL(endpoint, document.baseURI), asked);
      if (!reply.ok) throw new Error(`The link endpoint answered ${reply.status}.`);
      return deskAddress(((await reply.json()) as { url: string }).url);
    } finally {
      clearTimeout(timer);
    }
  }

  private readonly onMessage = ({ source, origin, data }: MessageEvent): void => {
    const told = data as { source?: unknown; kind?: unknown; reportId?: unknown } | null;
    if (this.frame === null || source !== this.frame.contentWindow || origin !== new URL(this.frame.src).origin) return;
    if (told?.source !== 'sutura-desk') return;
    const detail = typeof told.reportId === 'string' ? { reportId: told.reportId } : {};
    if (told.kind === 'opened') this.tell('opened', detail);
    if (told.kind !== 'ended') return;
    this.put(this.note(this.words().ended), this.again());
    this.tell('ended', detail);
  };

  private again(): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = this.words().again;
    button.addEventListener('click', () => void this.show());
    return button;
  }

  private note(text: string): HTMLElement {
    const note = document.createElement('p');
    note.className = 'note';
    note.setAttribute('role', 'status');
    note.textContent = text;
    return note;
  }

  private put(...parts: readonly HTMLElement[]): void {
    if (!parts.includes(this.frame!)) this.frame = null;
    this.root.replaceChildren(...parts);
  }

  private tell(name: 'opened' | 'ended' | 'failed', detail: SuturaWoundEventDetail): void {
    this.dispatchEvent(new CustomEvent(`sutura-${name}`, { detail, bubbles: true, composed: true }));
  }

  private words(): (typeof WORDS)[Language] {
    const near = this.closest<HTMLElement>('[lang]')?.lang ?? '';
    const asked = [near, ...navigator.languages].map((one) => one.slice(0, 2).toLowerCase());
    return WORDS[asked.find(isLanguage) ?? 'en'];
  }
}

function isLanguage(text: string): text is Language {
  return Object.keys(WORDS).includes(text);
}

/** Nothing but a link to a review desk is shown, whatever the page's server answered. */
function deskAddress(text: string): URL {
  const address = new URL(text);
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(address.hostname);
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && isLocal))
    throw new Error('The link needs https.');
  if (!/\/review\/[^/]+$/.test(address.pathname) || address.hash === '')
    throw new Error('This is no link to a review desk.');
  return address;
}

/** Makes `<sutura-wound>` known to the page; once, however often it is called. */
export function defineSuturaWound(name: string = 'sutura-wound'): void {
  if (customElements.get(name) === undefined) customElements.define(name, SuturaWoundElement);
}
