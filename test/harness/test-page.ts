/** How an element is found by its role. */
export interface RoleOptions {
  readonly name?: string | RegExp;
  readonly exact?: boolean;
  readonly level?: number;
  readonly checked?: boolean;
}

/** How an element is found by its text. */
export interface TextOptions {
  readonly exact?: boolean;
}

/** What found elements have to hold: a text, or what another locator finds. */
export interface FilterOptions {
  readonly hasText?: string | RegExp;
  readonly has?: object;
  readonly hasNot?: object;
  readonly hasNotText?: string | RegExp;
}

interface Finder {
  getByRole(role: string, options?: RoleOptions): TestLocator;
  getByLabel(text: string | RegExp, options?: TextOptions): TestLocator;
  getByText(text: string | RegExp, options?: TextOptions): TestLocator;
  locator(selector: string, options?: FilterOptions): TestLocator;
}

/** Elements of a page, found when they are used, as Playwright's locators are. */
export interface TestLocator extends Finder {
  filter(options?: FilterOptions): TestLocator;
  and(other: TestLocator): TestLocator;
  first(): TestLocator;
  last(): TestLocator;
  nth(index: number): TestLocator;
  all(): Promise<readonly TestLocator[]>;
  count(): Promise<number>;
  page(): TestPage;
  waitFor(options?: {
    state?: 'visible' | 'attached' | 'hidden' | 'detached';
    timeout?: number;
  }): Promise<void>;
  click(): Promise<void>;
  fill(value: string): Promise<void>;
  check(options?: { force?: boolean }): Promise<void>;
  uncheck(): Promise<void>;
  selectOption(values: string | null | { label: string } | readonly string[]): Promise<unknown>;
  press(key: string): Promise<void>;
  setInputFiles(files: { name: string; mimeType: string; buffer: Buffer } | string): Promise<void>;
  innerText(): Promise<string>;
  allInnerTexts(): Promise<readonly string[]>;
  textContent(): Promise<string | null>;
  inputValue(): Promise<string>;
  getAttribute(name: string): Promise<string | null>;
  isChecked(): Promise<boolean>;
  isVisible(): Promise<boolean>;
  isDisabled(): Promise<boolean>;
}

/** What a test answers to requests that no page makes. */
interface TestAnswer {
  status(): number;
  text(): Promise<string>;
  headers(): Readonly<Record<string, string>>;
}

/**
 * What a test does with a page that needs no script. A page of Playwright fits it, so that whatever fills
 * in a form or reads a page works in a browser and without one.
 */
export interface TestPage extends Finder {
  /** Also takes a path of the service. */
  goto(address: string): Promise<{ status(): number } | null>;
  url(): string;
  title(): Promise<string>;
  content(): Promise<string>;
  reload(): Promise<unknown>;
  goBack(): Promise<unknown>;
  waitForURL(address: string | RegExp | ((url: URL) => boolean)): Promise<void>;
  waitForLoadState(): Promise<void>;
  close(): Promise<void>;
  readonly keyboard: { press(key: string): Promise<void> };
  readonly request: { get(path: string): Promise<TestAnswer> };
  context(): { clearCookies(): Promise<void> };
}

/** The text of a page with this id, whatever its words are. */
export const findMessage = (page: Finder, id: string): TestLocator =>
  page.locator(`[data-message="${id}"]`);

/** Words of that text in the source of a page. */
export const readMessage = (html: string, id: string): string => {
  const element = new RegExp(`<(\\w+)[^>]* data-message="${id}"[^>]*>(.*?)</\\1>`, 's').exec(html);
  if (element?.[2] === undefined) throw new Error(`The page has no message ${id}.`);
  return element[2].replaceAll(/<[^>]+>/g, '');
};
