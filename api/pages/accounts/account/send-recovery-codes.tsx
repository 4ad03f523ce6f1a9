import type { Request, Response } from 'express';
import { toPerson } from '../../../access/person.ts';
import type { SignedIn } from '../../../access/signed-in.ts';
import { noteSecondFactor } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { SECURITY_PAGE } from '../../../web/guards/second-factor-first.ts';
import { Notice } from '../../layout/flash-messages.tsx';
import { sendPage } from '../../layout/send-page.tsx';
import { CopyButton } from '../../layout/shown-once.tsx';

export const sendRecoveryCodes = async (
  app: App,
  req: Request,
  res: Response,
  who: SignedIn,
): Promise<void> => {
  const { secondFactors, timeCodes } = app;
  const codes = timeCodes.createRecoveryCodes();
  await secondFactors.replaceRecoveryCodes(toPerson(who).id, codes.map(timeCodes.hashRecoveryCode));
  await noteSecondFactor(app, res, who, 'codes-made');
  sendPage(req, res, {
    title: 'Recovery codes',
    scripts: ['copy.mjs'],
    children: (
      <>
        <Notice kind="warning">
          These codes are shown only once. Print them, or keep them somewhere other than your phone.
          Each code works once, if you lose your passkey or app. Any codes you had before no longer
          work.
        </Notice>
        <pre class="shown-once__text" id="recovery-codes">
          {codes.join('\n')}
        </pre>
        <CopyButton of="recovery-codes">Copy codes</CopyButton>
        <p>
          <a href={SECURITY_PAGE}>I’ve saved these codes</a>
        </p>
      </>
    ),
  });
};
