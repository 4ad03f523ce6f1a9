import type { ComponentChildren } from 'preact';
import { isUuid } from '../../../domain/text-input.ts';
import { useFrame } from './frame-context.ts';

interface LinkProps {
  readonly class?: string;
  readonly 'aria-describedby'?: string;
  readonly children: ComponentChildren;
}

const RECORDS = '/registry/records/';

/**
 * A link to any page. One to a record, or beneath it, says which: what a page names comes into the access
 * log before the page is sent.
 */
export const PageLink = ({ href, ...rest }: LinkProps & { readonly href: string }) => {
  const { rendered } = useFrame();
  const { pathname } = new URL(href, 'http://registry.invalid');
  const [id = ''] = pathname.startsWith(RECORDS) ? pathname.slice(RECORDS.length).split('/') : [];
  if (isUuid(id)) rendered.add(id);
  return <a href={href} {...rest} />;
};

/** A link to a record. @param id submission uuid @param to a page beneath the record's own: `/correct` */
export const RecordLink = ({
  id,
  to = '',
  ...rest
}: LinkProps & { readonly id: string; readonly to?: string }) => (
  <PageLink href={`${RECORDS}${id}${to}`} {...rest} />
);
