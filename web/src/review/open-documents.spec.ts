/** @jest-environment node */
import { closeDocuments, openDocument } from './open-documents.js';

class Tab {
  closed = false;
  opener: unknown = 'the desk';
  location: { readonly origin: string } = { origin: 'https://here.example' };
  close(): void {
    this.closed = true;
  }
}

/** A browser window, as far as the page uses it. */
class Browser {
  readonly location = { origin: 'https://here.example' };
  readonly tabs: Tab[] = [];
  isBlocking = false;
  private onHide: (() => void)[] = [];
  open = (): Tab | null => {
    if (this.isBlocking) return null;
    this.tabs.push(new Tab());
    return this.tabs.at(-1)!;
  };
  addEventListener = (_: 'pagehide', listener: () => void) => void this.onHide.push(listener);
  hide(): void {
    for (const listener of this.onHide.splice(0)) listener();
  }
}

describe('documents in tabs of their own', () => {
  let browser: Browser;
  beforeEach(() => {
    browser = new Browser();
    Object.assign(globalThis, { window: browser });
  });
  afterEach(() => {
    closeDocuments();
    Reflect.deleteProperty(globalThis, 'window');
  });
  const closed = () => browser.tabs.map((tab) => tab.closed);

  it('are left to the browser where it opens none', () => {
    browser.isBlocking = true;
    expect(openDocument('/pdf')).toBe(false);
  });

  it('are left alone where somebody went on to another site in them, which cannot reach the desk', () => {
    openDocument('/pdf');
    const [tab] = browser.tabs;
    expect(tab!.opener).toBeNull();
    Object.defineProperty(tab, 'location', {
      get: () => {
        throw new Error('Blocked a frame from accessing a cross-origin frame.');
      },
    });
    closeDocuments();
    expect(closed()).toEqual([false]);
  });

  it('go with the end of the desk, and with its page, whichever were closed before', () => {
    expect([openDocument('/pdf'), openDocument('/html')]).toEqual([true, true]);
    browser.tabs[0]!.close();
    closeDocuments();
    expect(closed()).toEqual([true, true]);
    openDocument('/pdf');
    expect(closed()).toEqual([true, true, false]);
    browser.hide();
    expect(closed()).toEqual([true, true, true]);
  });
});
