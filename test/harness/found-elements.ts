import { computeAccessibleName, getRole } from 'dom-accessibility-api';
import type { FilterOptions, RoleOptions, TextOptions } from './test-page.ts';

/** Hidden by the style sheet on the screen of a laptop, beside what the markup hides. */
const HIDDEN_CLASSES = ['rail-menu', 'print-only', 'values__note--usual'];
const NEVER_SHOWN: ReadonlySet<string> = new Set(
  'script style template head noscript datalist'.split(' '),
);

const isHidden = (element: Element): boolean => {
  const { localName, parentElement } = element;
  return (
    NEVER_SHOWN.has(localName) ||
    element.hasAttribute('hidden') ||
    (localName === 'dialog' && !element.hasAttribute('open')) ||
    (localName === 'input' && element.getAttribute('type') === 'hidden') ||
    (localName !== 'summary' &&
      parentElement?.localName === 'details' &&
      !parentElement.hasAttribute('open')) ||
    HIDDEN_CLASSES.some((name) => element.classList.contains(name)) ||
    (element.classList.contains('copy') && element.querySelector('button[hidden]') !== null)
  );
};

/** Whether an element is on the screen, as far as one can tell without a layout. */
export const isShown = (element: Element): boolean => {
  for (let at: Element | null = element; at !== null; at = at.parentElement)
    if (isHidden(at)) return false;
  return true;
};

const collapse = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Whether a text is the wanted one, as Playwright compares: a part of it in any case, unless exactly it is wanted. */
export const fits = (
  text: string,
  wanted: string | RegExp,
  { exact = false }: TextOptions = {},
): boolean => {
  const said = collapse(text);
  if (typeof wanted !== 'string') return wanted.test(said);
  return exact
    ? said === collapse(wanted)
    : said.toLowerCase().includes(collapse(wanted).toLowerCase());
};

/** Elements that may have a role without saying so. */
const MAY_HAVE_ROLE: Readonly<Record<string, string>> = {
  alert: '',
  article: 'article',
  banner: 'header',
  button: 'button, summary, input[type="submit"]',
  cell: 'td',
  checkbox: 'input[type="checkbox"]',
  code: 'code',
  columnheader: 'th',
  combobox: 'select, input[list]',
  definition: 'dd',
  dialog: 'dialog',
  group: 'fieldset, details, optgroup',
  heading: 'h1, h2, h3, h4, h5, h6',
  img: 'img, svg',
  link: 'a[href]',
  list: 'ul, ol',
  listbox: 'select',
  listitem: 'li',
  main: 'main',
  navigation: 'nav',
  option: 'option',
  paragraph: 'p',
  progressbar: 'progress',
  radio: 'input[type="radio"]',
  region: 'section',
  row: 'tr',
  rowheader: 'th',
  search: 'search',
  searchbox: 'input[type="search"]',
  spinbutton: 'input[type="number"]',
  status: 'output',
  table: 'table',
  term: 'dt',
  textbox: 'input, textarea',
  time: 'time',
};
/** What dom-accessibility-api has no role for, or takes for another. */
const OWN_ROLES: readonly (readonly [selector: string, role: string])[] = [
  ['time', 'time'],
  ['code', 'code'],
  ['p', 'paragraph'],
  ['th[scope="row"], th[scope="rowgroup"]', 'rowheader'],
];

const roleOf = (element: Element): string | null =>
  element.getAttribute('role') ??
  OWN_ROLES.find(([selector]) => element.matches(selector))?.[1] ??
  getRole(element);

/** The DOM has no style: each part of a name counts as a word of its own. */
const styleOf = (element: Element): CSSStyleDeclaration => {
  const display = isHidden(element) ? 'none' : 'block';
  return {
    getPropertyValue: (name: string) => (name === 'display' ? display : ''),
  } as unknown as CSSStyleDeclaration;
};

const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi code del em i ins kbd label mark q s samp small span strong sub sup time u var button input select textarea output img svg br wbr data'.split(
    ' ',
  ),
);

const nameOf = (element: Element): string => {
  // The DOM does not know the labels of a field, and without them each name looks through the whole page.
  if (!('labels' in element))
    Object.defineProperty(element, 'labels', { get: () => labelsOf(element), configurable: true });
  return computeAccessibleName(element, { getComputedStyle: styleOf });
};

/** The labels of a field. */
const labelsOf = (element: Element): readonly Element[] => {
  const { id, ownerDocument } = element;
  const around = element.closest('label');
  const named = id === '' ? [] : [...ownerDocument.querySelectorAll(`label[for="${id}"]`)];
  return around === null || named.includes(around) ? named : [around, ...named];
};

/** All elements with a role that are shown. */
export const findByRole = (
  root: ParentNode,
  role: string,
  { name, exact = false, level, checked }: RoleOptions = {},
): readonly Element[] => {
  const implied = MAY_HAVE_ROLE[role];
  if (implied === undefined) throw new Error(`Elements are not found by the role ${role}`);
  const selector = [`[role="${role}"]`, implied].filter((one) => one !== '').join(', ');
  return [...root.querySelectorAll(selector)].filter(
    (element) =>
      roleOf(element) === role &&
      isShown(element) &&
      (level === undefined || element.localName === `h${level}`) &&
      (checked === undefined || element.hasAttribute('checked') === checked) &&
      (name === undefined || fits(nameOf(element), name, { exact })),
  );
};

/** All fields with a label. */
export const findByLabel = (
  root: ParentNode,
  wanted: string | RegExp,
  options?: TextOptions,
): readonly Element[] => {
  const labeled =
    'input:not([type="hidden"]), select, textarea, output, progress, [aria-label], [aria-labelledby]';
  return [...root.querySelectorAll(labeled)].filter((element) => {
    const { ownerDocument } = element;
    const ids = (element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .filter((id) => id !== '');
    const texts = [
      element.getAttribute('aria-label'),
      ...labelsOf(element).map(({ textContent }) => textContent),
      ids.map((id) => ownerDocument.getElementById(id)?.textContent ?? '').join(' '),
    ];
    return texts.some((text) => text !== null && text !== '' && fits(text, wanted, options));
  });
};

const textOf = (element: Element): string =>
  element.localName === 'input' && /^(submit|button)$/.test(element.getAttribute('type') ?? '')
    ? (element.getAttribute('value') ?? '')
    : [...element.childNodes].map(textOfNode).join('');

const TEXT = 3;
const ELEMENT = 1;

const textOfNode = (node: ChildNode): string => {
  if (node.nodeType === TEXT) return node.textContent ?? '';
  if (node.nodeType !== ELEMENT || NEVER_SHOWN.has((node as Element).localName)) return '';
  return textOf(node as Element);
};

/** The smallest elements that have a text. */
export const findByText = (
  root: ParentNode,
  wanted: string | RegExp,
  options?: TextOptions,
): readonly Element[] => {
  const found: Element[] = [];
  const visit = (element: Element): boolean => {
    if (NEVER_SHOWN.has(element.localName) || !fits(textOf(element), wanted, options)) return false;
    const isInChild = [...element.children].map(visit).includes(true);
    if (!isInChild) found.push(element);
    return true;
  };
  // What is found by an exact text may have children that are not.
  const visitAll = (element: Element): void => {
    if (visit(element)) return;
    for (const child of element.children) visitAll(child);
  };
  // The text of what has been found before may be its own.
  if (root.nodeType === ELEMENT) visitAll(root as Element);
  else for (const child of root.children) visitAll(child);
  return found;
};

const BLOCK_BREAK = '\n';
const FIELDS: ReadonlySet<string> = new Set(['select', 'textarea', 'input']);

/** What an element says on the screen: a line for each block, as browsers tell it. */
export const innerTextOf = (element: Element): string => {
  let said = '';
  const breakLine = () => {
    said = said.replace(/ +$/, '');
    if (said !== '' && !said.endsWith(BLOCK_BREAK)) said += BLOCK_BREAK;
  };
  const add = (text: string) => {
    const collapsed = text.replaceAll(/[ \n\t\r]+/g, ' ');
    said += /(^|\s)$/.test(said) ? collapsed.trimStart() : collapsed;
  };
  const visit = (node: ChildNode): void => {
    if (node.nodeType === TEXT) add(node.textContent ?? '');
    if (node.nodeType !== ELEMENT) return;
    const child = node as Element;
    if (isHidden(child) || FIELDS.has(child.localName)) return;
    if (child.localName === 'br') {
      said += BLOCK_BREAK;
      return;
    }
    const isCell = /^t[dh]$/.test(child.localName);
    const isBlock =
      (!isCell && !INLINE.has(child.localName)) || child.classList.contains('beneath');
    if (isBlock) breakLine();
    if (isCell && child.previousElementSibling !== null) said = `${said.trimEnd()}\t`;
    if (child.localName === 'pre') said += child.textContent ?? '';
    else for (const one of child.childNodes) visit(one);
    if (isBlock) breakLine();
  };
  if (!isShown(element)) return element.textContent ?? '';
  for (const child of element.childNodes) visit(child);
  return said.trim();
};

/** Whether an element passes a filter. @param isHeld tells whether it holds what another locator finds */
export const passes = (
  element: Element,
  { hasText, has, hasNot, hasNotText }: FilterOptions,
  isHeld: (locator: object, within: Element) => boolean,
): boolean =>
  (hasText === undefined || fits(textOf(element), hasText)) &&
  (hasNotText === undefined || !fits(textOf(element), hasNotText)) &&
  (has === undefined || isHeld(has, element)) &&
  (hasNot === undefined || !isHeld(hasNot, element));
