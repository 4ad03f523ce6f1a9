import type { ComponentChildren } from 'preact';
import { USWDS_STYLE } from '../assets/uswds.ts';
import { FlashMessages } from './flash-messages.tsx';
import { useFrame } from './frame-context.ts';
import { PageFooter } from './page-footer.tsx';
import { PageHeader } from './page-header.tsx';
import { Rail } from './rail.tsx';

/** What a page shows. */
export interface PageView {
  /** The page's one `<h1>`, and what the browser's tab says before the product's name. */
  readonly title: string;
  /** What was sent cannot be taken: the tab says so before the title. */
  readonly isRefused?: boolean;
  /** The one primary action, top right. */
  readonly action?: ComponentChildren;
  /** Names of browser scripts beside the frame's own. */
  readonly scripts?: readonly string[];
  /** Seconds after which the page is loaded again where no script keeps it up to date. */
  readonly refreshSeconds?: number;
  /**
   * Address that shows what is kept of a page that answers a form. Back and a reload lead there:
   * they would ask whether to send the form again, and Back shows nothing else.
   */
  readonly returnTo?: string | undefined;
  readonly children: ComponentChildren;
}

/** The one frame of all pages. */
export const Page = (view: PageView) => {
  const { title, isRefused, action, scripts = [], refreshSeconds, returnTo, children } = view;
  const { who, asset } = useFrame();
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${isRefused ? 'Error: ' : ''}${title} · Birth Registry`}</title>
        <link rel="stylesheet" href={USWDS_STYLE} />
        <link rel="stylesheet" href={asset('registry.css')} />
        <link rel="icon" href={asset('icon.svg')} type="image/svg+xml" />
        {refreshSeconds !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(refreshSeconds)} />
          </noscript>
        )}
        {['frame.mjs', ...scripts].map((name) => (
          <script key={name} type="module" src={asset(name)} />
        ))}
      </head>
      <body class={who === null ? 'frame frame--bare' : 'frame'}>
        <a class="usa-skipnav" href="#main-content">
          Skip to main content
        </a>
        <PageHeader />
        <div class="frame__body">
          {who !== null && <Rail who={who} />}
          <main class="frame__main" id="main-content" tabIndex={-1} data-return-to={returnTo}>
            <FlashMessages />
            <div class="page-head">
              <h1>{title}</h1>
              {action !== undefined && <div class="page-head__action">{action}</div>}
            </div>
            {children}
          </main>
        </div>
        <PageFooter />
      </body>
    </html>
  );
};
