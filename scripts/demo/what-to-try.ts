import { join } from 'node:path';
import type { DemoDirectory, FilledDemo } from './demo-directory.ts';
import { DEMO_PASSWORD } from './sample-practices.ts';

export interface ReadyDemo {
  readonly url: string;
  readonly directory: Pick<DemoDirectory, 'displayPath'>;
  readonly filled: FilledDemo;
  /** Address of the simulated EHR; `null` if not running. */
  readonly ehrUrl: string | null;
  /** True if service staff sign in with their password alone. */
  readonly isStaffFactorOptional: boolean;
}

const SEAT_WIDTH = 15;
const EMAIL_WIDTH = 25;

export const whatToTry = (demo: ReadyDemo): readonly string[] => {
  const { url, directory, filled, ehrUrl, isStaffFactorOptional } = demo;
  const { practice, signIns, typedChart, suspectedPair } = filled;
  const data = join(directory.displayPath, 'data');
  return [
    `Pages        ${url}/          The contract  ${url}/docs`,
    ...(ehrUrl === null ? [] : [`A simulated EHR with made-up patients  ${ehrUrl}/`]),
    '',
    `Sign-ins, all with the password ${DEMO_PASSWORD}`,
    ...signIns.map(({ seat, email, practice: at }) =>
      `  ${seat.padEnd(SEAT_WIDTH)}${email.padEnd(EMAIL_WIDTH)}${at ?? ''}`.trimEnd(),
    ),
    isStaffFactorOptional
      ? `  Outside this demo, the service staff need a second factor. Here it is optional: set one up at ${url}/account/security`
      : '  The service staff are asked to set up a second factor first.',
    '',
    'Keys of the sandbox practice',
    `  native         ${practice.nativeToken}   sends births, reads receipts`,
    `  Scribe key     ${practice.scribeToken}   only sends`,
    `  partner feed   ${practice.partnerToken}   as Maple EHR: de-identified`,
    '',
    'Three things to try',
    '  1. Send a birth as an EHR does, and read its receipt at the Content-Location of the answer.',
    '     Sent twice, it is amended. In another terminal, in this folder:',
    `       curl -i ${url}/api/registry/fhir/Bundle -H "Authorization: Bearer ${practice.nativeToken}" --data-binary @${join(directory.displayPath, 'birth.json')}`,
    '  2. As the Admin, clear a suspected duplicate at',
    `       ${url}${suspectedPair}`,
    '     and ask who did what to the birth that was typed in:',
    `       DATA_DIR=${data} npx --no birth-registry history --practice ${practice.practiceId} --chart ${typedChart} --json`,
    ...(ehrUrl === null
      ? [`  3. Bring a spreadsheet of births: ${url}/registry/import says how.`]
      : [
          `  3. Open ${ehrUrl}/ and click on “Newborn, three days old”: its chart fills in a birth.`,
          '     Choose between two Apgar scores, say where the birth was, save, and sign in when asked.',
        ]),
  ];
};
