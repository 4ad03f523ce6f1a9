import type { ComponentChildren } from 'preact';
import { findRecentBreakGlass } from '../../../domain/account/break-glass.ts';
import { displayName } from '../../../projections/lists/people-names.ts';
import { MAX_MENU_COUNT } from '../../../projections/lists/work-items.ts';
import type { SignedIn } from '../../access/signed-in.ts';
import { ELSEWHERE } from '../../access-log/access-notes.ts';
import { USWDS_STYLE } from '../assets/uswds.ts';
import { TO_DO } from '../paths.ts';
import { getTimeOptions } from '../text/format-times.ts';
import type { FieldError } from './field-errors.ts';
import { FlashMessages } from './flash-messages.tsx';
import { Form } from './form.tsx';
import { useFrame } from './frame-context.ts';
import { findNavItem, getHomePath, type NavItem, navItemsFor } from './navigation.ts';
import { Time } from './time.tsx';

export interface PageView {
  /** Text of the `<h1>`, and of the browser tab before the product's name. */
  readonly title: string;
  /** Tab title if the title names a person: browsers store titles, and others may see tabs. */
  readonly tabTitle?: string;
  /** True if the form was refused: the tab title starts with an error mark. */
  readonly hasErrors?: boolean;
  readonly errors?: readonly FieldError[];
  /** Hash of the stored values that the form of the page shows; {@link Form} sends it along. */
  readonly openedHash?: string;
  /** 200 by default, 422 with errors. */
  readonly status?: number;
  /** The one primary action, top right. */
  readonly action?: ComponentChildren;
  readonly scripts?: readonly string[];
  /** Seconds until the page reloads without script. */
  readonly refreshSeconds?: number;
  /**
   * Reload and Back open this draft address; otherwise the browser would ask to resend the form.
   */
  readonly returnTo?: string | undefined;
  /** True if the page is logged as printed: its script opens the print dialog. */
  readonly isPrintView?: boolean;
  readonly children: ComponentChildren;
}

/** Frame of all pages. */
export const Page = (view: PageView) => {
  const {
    title,
    tabTitle = title,
    errors = [],
    hasErrors = errors.length > 0,
    action,
    scripts = [],
    refreshSeconds,
    returnTo,
    isPrintView = false,
    children,
  } = view;
  const { who, asset, idleMinutes, timeZone, clock } = useFrame();
  const ownScripts = who === null ? ['frame.mjs'] : ['frame.mjs', 'session-end.mjs'];
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${hasErrors ? 'Error: ' : ''}${tabTitle} · Birth Registry`}</title>
        <link rel="stylesheet" href={USWDS_STYLE} />
        <link rel="stylesheet" href={asset('registry.css')} />
        <link rel="icon" href={asset('icon.svg')} type="image/svg+xml" />
        {refreshSeconds !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(refreshSeconds)} />
          </noscript>
        )}
        {[...ownScripts, ...scripts].map((name) => (
          <script key={name} type="module" src={asset(name)} />
        ))}
      </head>
      <body
        class={who === null ? 'frame frame--bare' : 'frame'}
        data-idle-minutes={who === null ? undefined : idleMinutes}
        data-time-format={JSON.stringify(getTimeOptions({ timeZone, clock }))}
      >
        <a class="usa-skipnav" href="#main-content">
          Skip to main content
        </a>
        <PageHeader />
        <div class="frame__body">
          {who !== null && <SideNav who={who} />}
          <main
            class="frame__main"
            id="main-content"
            tabIndex={-1}
            data-return-to={returnTo}
            data-print={isPrintView ? 'now' : undefined}
          >
            <FlashMessages />
            <div class="page-head cluster flex-justify margin-bottom-3">
              <h1>{title}</h1>
              {action !== undefined && <div class="page-head__action">{action}</div>}
            </div>
            {children}
            <RenderedRecords />
          </main>
        </div>
        <PageFooter />
      </body>
    </html>
  );
};

/** Ids of the rendered records, which frame.mjs logs on printing. Must come after all records. */
const RenderedRecords = () => {
  const { noted, rendered } = useFrame();
  const ids = new Set([...(noted?.recordIds ?? []), ...rendered]);
  return ids.size === 0 ? null : (
    <span hidden data-shown={noted?.place ?? ELSEWHERE} data-records={[...ids].join(' ')} />
  );
};

/** Names the time zone once for the whole page, except to visitors, whose zone is not known yet. */
const PageFooter = () => {
  const { who, timeZone, now } = useFrame();
  return (
    <footer class="frame__footer">
      {who === null ? (
        <p class="margin-0 maxw-none">Birth Registry</p>
      ) : (
        <p class="margin-0 maxw-none">
          Times are in {formatZone(timeZone)}.{' '}
          <span class="no-print">
            <a href="/account/password">Change your password</a> ·{' '}
            <a href="/account/security">Security</a>
          </span>
        </p>
      )}
      {who !== null && (
        <p class="print-only margin-0">
          Printed <Time at={now} />
        </p>
      )}
    </footer>
  );
};

/** "Eastern Time (America/New York)". */
export const formatZone = (timeZone: string): string =>
  `${formatZoneName(timeZone)} (${timeZone.replaceAll('_', ' ')})`;

const formatZoneName = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts(0)
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;

const RECORDS = '/registry/records';
const FIND_LABEL = 'Find a record';
const FIND_HINT = 'Name, date of birth, or number';
const FIND_INPUT = { name: 'q', type: 'search', autocomplete: 'off' } as const;

const canSearch = (who: SignedIn): boolean => navItemsFor(who).some(({ href }) => href === RECORDS);

/** Product, practice, role, and sign-out, followed by the banners. */
const PageHeader = () => {
  const { who, path, now } = useFrame();
  return (
    <header class="frame__header">
      <div class="bar">
        <a
          class="bar__product text-bold text-no-underline"
          href={who === null ? '/sign-in' : getHomePath(who)}
        >
          Birth Registry
        </a>
        {who !== null && (
          <>
            <span class="bar__practice">
              {who.kind === 'staff' ? 'Service staff' : who.practice.name}
            </span>
            {canSearch(who) && path !== RECORDS && (
              <Form action={RECORDS} class="bar__find no-print">
                <label class="usa-sr-only" for="find">
                  {FIND_LABEL}
                </label>
                <input id="find" class="usa-input field" {...FIND_INPUT} placeholder={FIND_HINT} />
                <button
                  type="submit"
                  class="usa-button usa-button--unstyled flex-align-self-center"
                >
                  Find
                </button>
              </Form>
            )}
            <a class="bar__seat" href="/account/name" title={who.email}>
              <span class="usa-sr-only">You are </span>
              {displayName(who)}
              {who.kind === 'member' && ` · ${who.role}`}
            </a>
            <Form action="/sign-out" class="bar__sign-out no-print">
              <button type="submit" class="usa-button usa-button--unstyled">
                Sign out
              </button>
            </Form>
          </>
        )}
      </div>
      {who?.kind === 'member' && who.practice.sandbox && (
        <p class="sandbox-banner text-bold margin-0 maxw-none">Sandbox: synthetic data only</p>
      )}
      {who?.kind === 'member' && who.role === 'Admin' && (
        <BreakGlassBanner notice={findRecentBreakGlass(who.practice.lastBreakGlass, now)} />
      )}
    </header>
  );
};

/** Shown after the staff invited an Admin, long enough for all Admins of the practice to notice. */
const BreakGlassBanner = ({
  notice,
}: {
  readonly notice: ReturnType<typeof findRecentBreakGlass>;
}) =>
  notice !== null && (
    <p class="break-glass-banner margin-0 maxw-none">
      <strong>Emergency access: service staff invited an Admin.</strong> On{' '}
      <Time at={new Date(notice.at)} />, when the practice had no Admin, they invited {notice.email}{' '}
      and gave this reason: “{notice.reason}” If you did not expect this, check{' '}
      <a href="/registry/members">Members</a> and the <a href="/registry/access-log">access log</a>.
    </p>
  );

/** Pages of the account: a rail on the left; on a phone, a menu that works without script. */
const SideNav = ({ who }: { readonly who: SignedIn }) => {
  const { path } = useFrame();
  const places = navItemsFor(who);
  const here = findNavItem(places, path);
  return (
    <>
      <nav class="rail" aria-label="Places">
        <NavList places={places} here={here} />
      </nav>
      <details class="rail-menu">
        <summary class="padding-x-2 padding-y-105 text-bold">
          Menu{here !== undefined && <span> · {here.text}</span>}
        </summary>
        {canSearch(who) && path !== RECORDS && (
          <Form action={RECORDS} class="menu-find flex-align-end padding-x-2 padding-y-1 no-print">
            <div class="usa-form-group flex-fill">
              <label class="usa-label" for="find-in-menu">
                {FIND_LABEL}
              </label>
              <span class="usa-hint" id="find-in-menu-hint">
                {FIND_HINT}
              </span>
              <input
                id="find-in-menu"
                class="usa-input field maxw-none"
                aria-describedby="find-in-menu-hint"
                {...FIND_INPUT}
              />
            </div>
            <button type="submit" class="usa-button">
              Find
            </button>
          </Form>
        )}
        <nav aria-label="Places">
          <NavList places={places} here={here} />
        </nav>
      </details>
    </>
  );
};

const NavList = ({
  places,
  here,
}: {
  readonly places: readonly NavItem[];
  readonly here: NavItem | undefined;
}) => (
  <ul class="usa-list--unstyled">
    {places.map((place) => (
      <li key={place.href}>
        <a href={place.href} aria-current={place === here ? 'page' : undefined}>
          {place.text}
          {place.href === TO_DO && <ToDoCount />}
        </a>
      </li>
    ))}
  </ul>
);

/** Number of to-do items, counted up to a limit. */
const ToDoCount = () => {
  const { toDo = 0 } = useFrame();
  return toDo === 0 ? null : (
    <>
      {' '}
      <span class="tag tag--count">{toDo >= MAX_MENU_COUNT ? `${MAX_MENU_COUNT}+` : toDo}</span>
    </>
  );
};
