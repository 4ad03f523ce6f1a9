import type { RemoteFailure } from '../../domain/remote-result.ts';
import { RequestProblem } from '../http/request-problem.ts';
import { PageProblem } from '../web/page-problem.ts';

/** An OperationOutcome for programs, a page for people. */
export class LaunchProblem extends RequestProblem {
  readonly heading: string;
  readonly text: string;
  override readonly isExpected: boolean;

  /**
   * @param heading states the problem; programs get it before the text
   * @param text no data of the EHR or the client
   */
  constructor(
    status: number,
    code: string,
    heading: string,
    text: string,
    { cause, headers = {}, isExpected = false }: LaunchProblemOptions = {},
  ) {
    super({ status, code, diagnostics: `${heading}. ${text}`, headers });
    this.heading = heading;
    this.text = text;
    this.isExpected = isExpected;
    this.cause = cause ?? undefined;
  }

  asPage(): PageProblem {
    const { status, heading, text, headers, isExpected } = this;
    const page = new PageProblem(status, heading, text, headers, isExpected);
    page.cause = this.cause;
    return page;
  }
}

type Headers = Readonly<Record<string, string>>;

interface LaunchProblemOptions {
  readonly cause?: unknown;
  readonly headers?: Headers;
  readonly isExpected?: boolean;
}

const AGAIN = 'Go back to the EHR and open the registry from the patient’s chart again.';
const NOT_SHARED = 'The EHR did not share the chart';
export const NO_ANSWER = 'The EHR does not answer';
export const TOOK_TOO_LONG = 'It took too long.';
const RETRY = { 'Retry-After': '300' };

/** @see spec "Pull lane (EHR launch); no API key" */
export const launchNotConfigured = (): LaunchProblem =>
  new LaunchProblem(
    503,
    'transient',
    'Launches from an EHR are not set up',
    'The operator of the registry has not registered it with an EHR yet. Until then the birth can be entered by hand.',
    { headers: RETRY, isExpected: true },
  );

export const issuerNotAllowed = (): LaunchProblem =>
  new LaunchProblem(
    403,
    'forbidden',
    'This EHR is not known here',
    'The registry can be opened only from EHRs that its operator has listed. Nothing was read. Ask the operator of the registry to add this one; until then the birth can be entered by hand.',
  );

export const launchTokenNeeded = (): LaunchProblem =>
  new LaunchProblem(
    400,
    'required',
    'This is not a launch',
    `Its address does not say from which chart it was opened. ${AGAIN}`,
  );

/** The state is unknown: it was used before, has expired, or belongs to another browser. */
export const unknownState = (): LaunchProblem =>
  new LaunchProblem(
    400,
    'invalid',
    'This launch is over',
    `It was used before, took longer than ten minutes, or was begun in another browser. ${AGAIN}`,
  );

export const unusableCallback = (): LaunchProblem =>
  new LaunchProblem(
    400,
    'invalid',
    'The launch could not be finished',
    `The EHR’s answer cannot be used. Nothing was read. ${AGAIN}`,
  );

export const ehrDeclined = (isDenied: boolean, isTemporary: boolean): LaunchProblem => {
  if (isDenied)
    return new LaunchProblem(
      403,
      'forbidden',
      NOT_SHARED,
      'Access was declined there, by you or by its settings. Nothing was read. Open the registry from the chart again to decide otherwise, or enter the birth by hand.',
    );
  return isTemporary
    ? new LaunchProblem(
        502,
        'transient',
        NO_ANSWER,
        `It cannot finish the launch right now. Nothing was read. Wait a moment. ${AGAIN}`,
      )
    : new LaunchProblem(
        400,
        'processing',
        NOT_SHARED,
        `It ended the launch. Nothing was read. ${AGAIN} If it happens again, tell the people who look after the EHR.`,
      );
};

export const patientNeeded = (): LaunchProblem =>
  new LaunchProblem(
    400,
    'required',
    'The EHR named no patient',
    'Nothing was read. Open the chart of the mother or the newborn first, then the registry from there.',
  );

/** Other charts, files, and Bundles are read first. */
export const launchBusy = (): LaunchProblem =>
  new LaunchProblem(
    503,
    'transient',
    'The registry is busy',
    `It is reading other charts and files. Nothing was kept. Wait a minute. ${AGAIN}`,
    { headers: { 'Retry-After': '60' }, isExpected: true },
  );

export const chartTooLarge = (): LaunchProblem =>
  new LaunchProblem(
    502,
    'too-costly',
    'The chart is too large',
    'The registry cannot read it in a reasonable time. Nothing was kept. Enter the birth by hand.',
  );

export const ehrFailed = ({ why, cause }: RemoteFailure): LaunchProblem => {
  if (why === 'timeout')
    return new LaunchProblem(
      504,
      'timeout',
      NO_ANSWER,
      `${TOOK_TOO_LONG} Nothing was kept. ${AGAIN}`,
      { cause },
    );
  if (why === 'unreachable')
    return new LaunchProblem(
      502,
      'transient',
      NO_ANSWER,
      `It cannot be reached right now. Nothing was kept. ${AGAIN}`,
      { cause },
    );
  if (why === 'refused')
    return new LaunchProblem(
      502,
      'forbidden',
      NOT_SHARED,
      `It did not let the registry read the patient. Nothing was kept. ${AGAIN} If it happens again, tell the people who look after the EHR.`,
      { cause },
    );
  return new LaunchProblem(
    502,
    'processing',
    'The EHR’s answer cannot be used',
    `Nothing was kept. ${AGAIN} If it happens again, tell the people who look after the EHR.`,
    { cause },
  );
};
