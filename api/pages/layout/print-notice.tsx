import { Notice } from './flash-messages.tsx';

export const PRINT_NOTED = 'This printout was recorded in the access log.';

export const PrintNotice = ({ back }: { readonly back: string }) => (
  <div class="no-print">
    <Notice kind="info">
      {PRINT_NOTED} If no print dialog opens, use your browser’s print command (Ctrl+P or Cmd+P).{' '}
      <a href={back}>Back to the record</a>
    </Notice>
  </div>
);
