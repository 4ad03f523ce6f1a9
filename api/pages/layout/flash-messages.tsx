import type { ComponentChildren } from 'preact';
import type { Flash } from '../../web/session/flash.ts';
import type { FieldError } from './field-errors.ts';
import { useFrame } from './frame-context.ts';
import { PageLink } from './record-link.tsx';

const NAMES: Readonly<Record<Flash['kind'], string>> = {
  success: 'Done',
  warning: 'Note',
  error: 'Error',
  info: 'Note',
};

/** Shown if another writer has the practice lease. */
export const BUSY =
  'Many records are being written at this practice right now, so nothing was changed. Try again in a moment.';

export const buildBusyError = (field: string): FieldError => ({ field, id: 'busy', message: BUSY });

/** Results of the previous form, shown once. */
export const FlashMessages = () => (
  <>
    {useFrame().flashes.map(({ kind, text, id, link }) => (
      <Notice key={text} kind={kind} id={id}>
        {text}
        {link !== undefined && (
          <>
            {' '}
            <PageLink href={link.href}>{link.text}</PageLink>
          </>
        )}
      </Notice>
    ))}
  </>
);

export interface NoticeProps {
  readonly kind: Flash['kind'];
  /** As `data-message`. */
  readonly id?: string | undefined;
  readonly children: ComponentChildren;
}

/** Notice in a page. Its text names the kind, too, because color alone is not accessible. */
export const Notice = ({ kind, id, children }: NoticeProps) => (
  <p
    class={`notice notice--${kind}`}
    role={kind === 'error' ? 'alert' : 'status'}
    data-message={id}
  >
    <strong>{NAMES[kind]}:</strong> {children}
  </p>
);
