import { Form } from './form.tsx';
import { Time } from './time.tsx';

export type ResubmittedRecord = 'home' | 'record' | 'to-do';

export const KEEP_RECORD = 'Keep record';
export const VOID_AGAIN = 'Void again';

export const describeVoider = (who: string): string => `voided by ${who}`;

export const describeSentAgain = (who: string): string => `sent again by ${who}`;

export const ResubmittedText = (props: {
  readonly voidedBy: string;
  readonly voidedAt: Date;
  readonly reason: string | null;
  readonly revivedBy: string;
  readonly revivedAt: Date;
}) => (
  <>
    {describeVoider(props.voidedBy)}, <Time at={props.voidedAt} />
    {props.reason !== null && <> (“{props.reason}”)</>}; {describeSentAgain(props.revivedBy)},{' '}
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
