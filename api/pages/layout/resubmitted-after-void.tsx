import { Form } from './form.tsx';
import { Time } from './time.tsx';

export type ResubmittedRecord = 'home' | 'record' | 'to-do';

export const ResubmittedText = (props: {
  readonly voidedBy: string;
  readonly voidedAt: Date;
  readonly reason: string | null;
  readonly revivedBy: string;
  readonly revivedAt: Date;
}) => (
  <>
    voided by {props.voidedBy}, <Time at={props.voidedAt} />
    {props.reason !== null && <> (“{props.reason}”)</>}; sent again by {props.revivedBy},{' '}
    <Time at={props.revivedAt} />.
  </>
);

export const DecideResubmitted = ({
  href,
  version,
  on,
  of,
}: {
  readonly href: string;
  /** Version that reactivated the record. */
  readonly version: number;
  readonly on: ResubmittedRecord;
  /** Name of the record for screen readers, if the page shows several. */
  readonly of?: string;
}) => (
  <Form action={`${href}/keep`}>
    <input type="hidden" name="version" value={String(version)} />
    <input type="hidden" name="on" value={on} />
    <div class="buttons margin-top-1">
      <button type="submit" class="usa-button usa-button--outline">
        Keep record
        <ForScreenReaders of={of} />
      </button>
      <a class="usa-button usa-button--unstyled" href={`${href}/void`}>
        Void again
        <ForScreenReaders of={of} />
      </a>
    </div>
  </Form>
);

const ForScreenReaders = ({ of }: { readonly of: string | undefined }) =>
  of === undefined ? null : <span class="usa-sr-only"> {of}</span>;
