import type { ComponentChildren } from 'preact';
import { CSRF_FIELD } from '../../web/csrf.ts';
import { useFrame } from './frame-context.ts';

/** The hidden field that says which session a form belongs to. */
const CsrfField = () => <input type="hidden" name={CSRF_FIELD} value={useFrame().csrfToken()} />;

/** What a form that changes something is made of. */
export interface FormParts {
  /** Where it is posted. */
  readonly action: string;
  readonly class?: string;
  readonly id?: string;
  /** Sends files; the token then has to be the first field, as it is here. */
  readonly files?: boolean;
  readonly children: ComponentChildren;
}

/** A posted form with its token. Errors are the server's to tell, so the browser checks nothing. */
export const Form = ({ action, files = false, children, ...rest }: FormParts) => (
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
