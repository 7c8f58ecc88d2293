import type { Locator, Page } from 'playwright-core';

/** Counts what a person does at a page: each click or tap, each stroke, each field typed into, each choice, each key. To read and to scroll cost nothing. */
export class CountedActions {
  private count = 0;

  constructor(readonly page: Page) {}

  get done(): number {
    return this.count;
  }

  /** A link or button by its name. */
  async press(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    this.count += 1;
    const link = within.getByRole('link', { name, exact: true });
    await link
      .or(within.getByRole('button', { name, exact: true }))
      .first()
      .click();
  }

  async open(row: Locator): Promise<void> {
    this.count += 1;
    await row.click();
  }

  async tap(place: Locator): Promise<void> {
    this.count += 1;
    await place.tap();
  }

  /** Whatever else a person does in one go. */
  async once(act: () => Promise<void>): Promise<void> {
    this.count += 1;
    await act();
  }

  async type(label: string, text: string): Promise<void> {
    this.count += 1;
    await this.page.getByLabel(label).first().fill(text);
  }

  async choose(label: string, option: string): Promise<void> {
    this.count += 1;
    await this.page.getByRole('combobox', { name: label }).selectOption(option);
  }

  async key(key: string): Promise<void> {
    this.count += 1;
    await this.page.keyboard.press(key);
  }
}
