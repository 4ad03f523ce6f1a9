import { Form } from '../frame/form.tsx';

/** Where to go on after the decision: the page on which it was made. */
export type DecidedOn = 'home' | 'record' | 'to-do';

/** What the two answers are called. */
export const KEEP_RECORD = 'Keep record';
export const VOID_AGAIN = 'Void again';

/** Says who voided a record, before the moment. */
export const describeVoider = (who: string): string => `voided by ${who}`;

/** Says who sent it again, before the moment. */
export const describeResender = (who: string): string => `sent again by ${who}`;

/** The two answers to a record that was voided and sent again. */
export const DecideOverruledVoid = ({
  href,
  version,
  on,
  of,
}: {
  /** Address of the record's page. */
  readonly href: string;
  /** The version that made the record live again. */
  readonly version: number;
  readonly on: DecidedOn;
  /** Names the record for screen readers, on a page of several. */
  readonly of?: string;
}) => (
  <Form action={`${href}/keep`}>
    <input type="hidden" name="version" value={String(version)} />
    <input type="hidden" name="on" value={on} />
    <div class="buttons margin-top-1">
      <button type="submit" class="usa-button usa-button--outline">
        {KEEP_RECORD}
        <ForScreenReaders of={of} />
      </button>
      <a class="usa-button usa-button--unstyled" href={`${href}/void`}>
        {VOID_AGAIN}
        <ForScreenReaders of={of} />
      </a>
    </div>
  </Form>
);

const ForScreenReaders = ({ of }: { readonly of: string | undefined }) =>
  of === undefined ? null : <span class="usa-sr-only"> {of}</span>;
