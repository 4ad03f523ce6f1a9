import type { ComponentChildren } from 'preact';
import { isUuid } from '../../../domain/text-input.ts';
import { useFrame } from './frame-context.ts';

interface LinkProps {
  readonly class?: string;
  readonly 'aria-describedby'?: string;
  readonly children: ComponentChildren;
}

const RECORDS = '/registry/records/';

/** Registers a linked record, so that the access log has it before the page is sent. */
export const PageLink = ({ href, ...rest }: LinkProps & { readonly href: string }) => {
  const { rendered } = useFrame();
  const { pathname } = new URL(href, 'http://registry.invalid');
  const [id = ''] = pathname.startsWith(RECORDS) ? pathname.slice(RECORDS.length).split('/') : [];
  if (isUuid(id)) rendered.add(id);
  return <a href={href} {...rest} />;
};

/** @param to page below the record's own: `/correct` */
export const RecordLink = ({
  id,
  to = '',
  ...rest
}: LinkProps & { readonly id: string; readonly to?: string }) => (
  <PageLink href={`${RECORDS}${id}${to}`} {...rest} />
);
