import type { ComponentChildren } from 'preact';
import type { Flash } from '../../web/flash.ts';
import { useFrame } from './frame-context.ts';
import { PageLink } from './record-link.tsx';

const NAMES: Readonly<Record<Flash['kind'], string>> = {
  success: 'Done',
  warning: 'Note',
  error: 'Error',
  info: 'Note',
};

/** Says that a change has to wait until other writes of the practice are done. */
export const BUSY =
  'Many records are being written at this practice right now, so nothing was changed. Try again in a moment.';

/** What the last form has done, said once. */
export const FlashMessages = () => (
  <>
    {useFrame().flashes.map(({ kind, text, link }) => (
      <Notice key={text} kind={kind}>
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

/** What a notice says, and how it looks. */
export interface NoticeProps {
  readonly kind: Flash['kind'];
  readonly children: ComponentChildren;
}

/** A notice in the text of a page. The kind is said in words too, never by color alone. */
export const Notice = ({ kind, children }: NoticeProps) => (
  <p class={`notice notice--${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
    <strong>{NAMES[kind]}:</strong> {children}
  </p>
);
