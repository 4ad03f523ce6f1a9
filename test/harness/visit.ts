import { setTimeout as sleep } from 'node:timers/promises';
import { parseHTML } from 'linkedom';
import {
  type ChosenFile,
  checkField,
  chooseFile,
  chooseOption,
  defaultButtonOf,
  fillField,
  formOf,
  isSubmitButton,
  readField,
  readForm,
} from './form-fields.ts';
import {
  findByLabel,
  findByRole,
  findByText,
  innerTextOf,
  isShown,
  passes,
} from './found-elements.ts';
import type { FilterOptions, TestLocator, TestPage } from './test-page.ts';

/** Cookies of a person's browser, by the origin that set them. */
export type CookieJar = Map<string, Map<string, string>>;

/** A page as the service sends it, in a browser without script, style, and screen. */
export interface Visit extends TestPage {
  /** What the service sent beside the page. */
  headers(): Readonly<Record<string, string>>;
  status(): number;
  /** An empty tab beside it, with the same cookies. */
  newTab(): Visit;
  readonly document: Document;
  /** The file that the last click led to; the page stays as it was. */
  downloaded(): { readonly name: string; readonly text: string };
  readonly cookies: CookieJar;
}

/** Whether a page is one without a browser. */
export const isVisit = (page: TestPage): page is Visit => 'cookies' in page;

const MAX_REDIRECTS = 10;
/** What a page says it shows later, it shows within. */
const WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 50;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const KEEPS_METHOD = new Set([307, 308]);

interface Request {
  readonly address: string;
  readonly method: 'GET' | 'POST';
  readonly body: URLSearchParams | FormData | null;
}

/** What a person's browser holds, and what it sends with each request. */
interface VisitorOptions {
  readonly cookies?: CookieJar;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Opens pages as a person does who sees only their words. */
export const createVisit = (
  baseUrl: string,
  { cookies = new Map(), headers: ownHeaders = {} }: VisitorOptions = {},
): Visit => {
  let { document } = parseHTML('<!doctype html><html><body></body></html>');
  let file: ReturnType<Visit['downloaded']> | null = null;
  let sentHeaders: Readonly<Record<string, string>> = {};
  let sentStatus = 0;
  let focused: Element | null = null;
  /** The request of each page, the newest last. */
  const opened: Request[] = [];
  const here = (): string => opened.at(-1)?.address ?? 'about:blank';

  const ask = async ({ address, method, body }: Request): Promise<Response> => {
    const { origin } = new URL(address);
    const kept = [...(cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`);
    const isFromHere = here() !== 'about:blank' && new URL(here()).origin === origin;
    const response = await fetch(address, {
      method,
      body,
      redirect: 'manual',
      headers: {
        Accept: 'text/html',
        ...ownHeaders,
        ...(kept.length === 0 ? {} : { Cookie: kept.join('; ') }),
        ...(isFromHere ? { Referer: here() } : {}),
        ...(method === 'POST' ? { Origin: isFromHere ? origin : 'null' } : {}),
      },
    });
    keepCookies(cookies, origin, response);
    return response;
  };

  const follow = async (request: Request, times = 0): Promise<number> => {
    const response = await ask(request);
    const { address } = request;
    const location = response.headers.get('location');
    if (location !== null && REDIRECTS.has(response.status)) {
      if (times === MAX_REDIRECTS) throw new Error(`${address} leads in circles`);
      await response.arrayBuffer();
      const next = new URL(location, address).href;
      return follow(
        KEEPS_METHOD.has(response.status)
          ? { ...request, address: next }
          : { address: next, method: 'GET', body: null },
        times + 1,
      );
    }
    const isPage = /text\/html/.test(response.headers.get('content-type') ?? '');
    if (!isPage) {
      const name = /filename="?([^";]*)/.exec(response.headers.get('content-disposition') ?? '');
      file = { name: name?.[1] ?? '', text: await response.text() };
      return response.status;
    }
    sentHeaders = Object.fromEntries(response.headers);
    sentStatus = response.status;
    const html = await response.text();
    ({ document } = parseHTML(html.replaceAll('\r\n', '\n')));
    focused = document.querySelector('[autofocus]');
    opened.push(request);
    return response.status;
  };

  const get = (address: string): Promise<number> =>
    follow({ address: new URL(address, baseUrl).href, method: 'GET', body: null });

  const submit = async (form: Element, button: Element | null): Promise<void> => {
    const { action, method, body } = readForm(form, button);
    const address = new URL(action === '' ? here() : action, here());
    if (method === 'POST') return void (await follow({ address: address.href, method, body }));
    address.search = new URLSearchParams(
      [...body].map(([key, value]) => [key, String(value)]),
    ).toString();
    await follow({ address: address.href, method, body: null });
  };

  const click = async (element: Element): Promise<void> => {
    const target = element.closest('a[href], button, input, summary, label') ?? element;
    if (target.hasAttribute('disabled')) throw new Error('It is disabled');
    focused = target;
    const href = target.getAttribute('href');
    if (target.localName === 'a' && href !== null) {
      if (!href.startsWith('#')) await get(new URL(href, here()).href);
    } else if (target.localName === 'summary') target.closest('details')?.toggleAttribute('open');
    else if (isSubmitButton(target)) await submit(formOf(target), target);
    else if (target.localName === 'label') {
      const id = target.getAttribute('for');
      const field = id === null ? target.querySelector('input') : document.getElementById(id);
      if (field === null) throw new Error('The label has no field');
      await click(field);
    } else if (target.getAttribute('type') === 'checkbox')
      checkField(target, !target.hasAttribute('checked'));
    else if (target.getAttribute('type') === 'radio') checkField(target, true);
    else if (!target.matches('input, textarea, select'))
      throw new Error(`A click on this ${target.localName} does nothing without script`);
  };

  const press = async (key: string): Promise<void> => {
    if (key !== 'Enter' || focused === null)
      throw new Error('Without script, only Enter in a field does something');
    if (!focused.matches('input')) return click(focused);
    await submit(formOf(focused), defaultButtonOf(focused) ?? null);
  };

  /** A page that refreshes itself while something goes on shows it in the end. */
  const until = async (claim: string, holds: () => boolean): Promise<void> => {
    const giveUp = performance.now() + WITHIN_MS;
    while (!holds()) {
      const refreshes =
        'refresh' in sentHeaders || document.querySelector('meta[http-equiv="refresh"]') !== null;
      if (!refreshes || performance.now() > giveUp)
        throw new Error(`${claim} is not on ${here()}:\n${innerTextOf(document.body)}`);
      await sleep(LOOK_AGAIN_MS);
      await visit.reload();
    }
  };

  const finds = new WeakMap<object, (within: ParentNode) => readonly Element[]>();

  /** @param find finds the elements in a page, or in one of its elements */
  const locatorOf = (
    name: string,
    find: (within: ParentNode) => readonly Element[],
  ): TestLocator => {
    const now = () => find(document);
    const one = async (): Promise<Element> => {
      await until(name, () => now().length > 0);
      const [element, ...others] = now();
      if (element === undefined) throw new Error(name);
      if (others.length > 0) throw new Error(`${name} is ${others.length + 1} elements`);
      return element;
    };
    const within =
      (next: (element: ParentNode) => readonly Element[]) =>
      (root: ParentNode): readonly Element[] => [
        ...new Set(find(root).flatMap((element) => next(element))),
      ];
    const locator: TestLocator = {
      getByRole: (role, options) =>
        locatorOf(
          `${name} ${role} ${options?.name ?? ''}`,
          within((at) => findByRole(at, role, options)),
        ),
      getByLabel: (text, options) =>
        locatorOf(
          `${name} label ${text}`,
          within((at) => findByLabel(at, text, options)),
        ),
      getByText: (text, options) =>
        locatorOf(
          `${name} text ${text}`,
          within((at) => findByText(at, text, options)),
        ),
      locator: (selector, options = {}) =>
        locatorOf(
          `${name} ${selector}`,
          within((at) => select(at, selector)),
        ).filter(options),
      filter: (options: FilterOptions = {}) =>
        locatorOf(name, (root) =>
          find(root).filter((element) =>
            passes(element, options, (held, at) => (finds.get(held)?.(at) ?? []).length > 0),
          ),
        ),
      and: (other) =>
        locatorOf(name, (root) => {
          const others = finds.get(other)?.(root) ?? [];
          return find(root).filter((element) => others.includes(element));
        }),
      first: () => locatorOf(name, (root) => find(root).slice(0, 1)),
      last: () => locatorOf(name, (root) => find(root).slice(-1)),
      nth: (index) => locatorOf(name, (root) => find(root).slice(index, index + 1)),
      all: async () => now().map((_, index) => locator.nth(index)),
      count: async () => now().length,
      page: () => visit,
      async waitFor({ state = 'visible' } = {}) {
        const isThere = () => (state === 'attached' ? now().length > 0 : now().some(isShown));
        const isAwaited = state === 'visible' || state === 'attached';
        await until(`${name}, ${state},`, () => isThere() === isAwaited);
      },
      click: async () => click(await one()),
      async fill(value) {
        const field = await one();
        fillField(field, value);
        focused = field;
      },
      check: async () => checkField(await one(), true),
      uncheck: async () => checkField(await one(), false),
      selectOption: async (wanted) => {
        if (wanted === null || Array.isArray(wanted)) throw new Error('One option is chosen');
        chooseOption(await one(), wanted as string | { label: string });
      },
      async press(key) {
        focused = await one();
        await press(key);
      },
      setInputFiles: async (chosen) => chooseFile(await one(), chosen as ChosenFile | string),
      innerText: async () => innerTextOf(await one()),
      allInnerTexts: async () => now().map(innerTextOf),
      textContent: async () => (await one()).textContent,
      inputValue: async () => readField(await one()),
      getAttribute: async (attribute) => (await one()).getAttribute(attribute),
      isChecked: async () => (await one()).hasAttribute('checked'),
      isVisible: async () => now().some(isShown),
      isDisabled: async () => (await one()).hasAttribute('disabled'),
    };
    finds.set(locator, find);
    return locator;
  };

  const page = locatorOf('page', (root) => [root as unknown as Element]);
  const visit: Visit = {
    getByRole: page.getByRole,
    getByLabel: page.getByLabel,
    getByText: page.getByText,
    locator: page.locator,
    async goto(address) {
      if (address === 'about:blank') return null;
      const status = await get(address);
      return { status: () => status };
    },
    url: here,
    title: async () => (document.querySelector('title')?.textContent ?? '').trim(),
    content: async () => document.toString(),
    async reload() {
      const last = opened.pop();
      if (last !== undefined) await follow(last);
    },
    async goBack() {
      opened.pop();
      await visit.reload();
    },
    async waitForURL(wanted) {
      await until(String(wanted), () => isAt(new URL(here()), wanted, baseUrl));
    },
    waitForLoadState: async () => {},
    close: async () => {},
    keyboard: { press },
    request: {
      async get(path) {
        const response = await ask({
          address: new URL(path, baseUrl).href,
          method: 'GET',
          body: null,
        });
        // With its byte order mark, which `response.text()` drops.
        const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
          await response.arrayBuffer(),
        );
        return {
          status: () => response.status,
          text: async () => text,
          headers: () => Object.fromEntries(response.headers),
        };
      },
    },
    context: () => ({
      async clearCookies() {
        cookies.clear();
      },
    }),
    headers: () => sentHeaders,
    status: () => sentStatus,
    newTab: () => createVisit(baseUrl, { cookies, headers: ownHeaders }),
    downloaded() {
      const taken = file;
      file = null;
      if (taken === null) throw new Error(`No file came from ${here()}`);
      return taken;
    },
    get document() {
      return document;
    },
    cookies,
  };
  return visit;
};

/** Selectors as Playwright has them: a `:visible` at their end, or a `+` at their beginning, too. */
const select = (root: ParentNode, selector: string): readonly Element[] => {
  if (selector.startsWith('+ ')) {
    const next = (root as Element).nextElementSibling;
    return next?.matches(selector.slice(2)) === true ? [next] : [];
  }
  const plain = selector.replaceAll(':visible', '');
  const found = [...root.querySelectorAll(plain)];
  return plain === selector ? found : found.filter(isShown);
};

const isAt = (
  url: URL,
  wanted: string | RegExp | ((url: URL) => boolean),
  baseUrl: string,
): boolean => {
  if (typeof wanted === 'function') return wanted(url);
  if (typeof wanted !== 'string') return wanted.test(url.href);
  if (!wanted.includes('*')) return new URL(wanted, baseUrl).href === url.href;
  // Of globs, tests use only those with stars at their ends.
  const [start = '', ...rest] = wanted.split('**');
  return url.href.startsWith(start) && url.href.endsWith(rest.at(-1) ?? '');
};

const keepCookies = (cookies: CookieJar, origin: string, { headers }: Response): void => {
  const kept = cookies.get(origin) ?? new Map<string, string>();
  if (headers.get('clear-site-data')?.includes('cookies') ?? false) kept.clear();
  for (const line of headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', ...value] = pair.split('=');
    const isOver = attributes.some(
      (attribute) =>
        /^max-age=0$/i.test(attribute) ||
        (/^expires=/i.test(attribute) &&
          Date.parse(attribute.slice('expires='.length)) <= Date.now()),
    );
    if (isOver) kept.delete(name);
    else kept.set(name, value.join('='));
  }
  cookies.set(origin, kept);
};
