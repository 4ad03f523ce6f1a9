import { Notice } from './flash-messages.tsx';

export const PrintNotice = ({ back }: { readonly back: string }) => (
  <div class="no-print">
    <Notice kind="info" id="print-noted">
      This printout was recorded in the access log. If no print dialog opens, use your browser’s
      print command (Ctrl+P or Cmd+P). <a href={back}>Back to the record</a>
    </Notice>
  </div>
);
