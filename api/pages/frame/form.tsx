import type { ComponentChildren } from 'preact';
import { CSRF_FIELD } from '../../web/csrf.ts';
import { formSeatOf, SEAT_FIELD } from '../../web/form-seat.ts';
import { useFrame } from './frame-context.ts';

/** The hidden field that says which session a form belongs to. */
const CsrfField = () => <input type="hidden" name={CSRF_FIELD} value={useFrame().csrfToken()} />;

/** The hidden field that says who opened a form: only that account may send it. */
const SeatField = () => (
  <input type="hidden" name={SEAT_FIELD} value={formSeatOf(useFrame().who)} />
);

/** What a form that changes something is made of. */
export interface FormProps {
  /** Where it is posted. */
  readonly action: string;
  readonly class?: string;
  readonly id?: string | undefined;
  /** Sends files; the token then has to be the first field, as it is here. */
  readonly files?: boolean;
  readonly children: ComponentChildren;
}

/** A posted form with its token and whose it is. Errors are the server's to tell, so the browser checks nothing. */
export const Form = ({ children, ...parts }: FormProps) => (
  <HeldForm {...parts}>
    <SeatField />
    {children}
  </HeldForm>
);

/** The same for a page that holds a form meanwhile: whose it is stands in its fields, or nowhere. */
export const HeldForm = ({ action, files = false, children, ...rest }: FormProps) => (
  <form
    method="post"
    action={action}
    noValidate
    encType={files ? 'multipart/form-data' : undefined}
    {...rest}
  >
    <CsrfField />
    {children}
  </form>
);
