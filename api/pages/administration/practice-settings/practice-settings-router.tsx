import type { Response, Router } from 'express';
import { countInWords } from '../../../../domain/format-measures.ts';
import { DATE_ORDERS, getDefaultDateOrder } from '../../../../domain/mapping/form/date-order.ts';
import { CLOCKS } from '../../../../domain/practice/clock.ts';
import type { SetPractice } from '../../../../domain/practice/decide.ts';
import type { ListedMember } from '../../../../projections/lists/accounts.ts';
import type { SeatPractice } from '../../../access/signed-in.ts';
import { catchRefusal } from '../../../commands/refusal-of.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, requireAdmin } from '../../../web/guards/seats.ts';
import { Facts } from '../../layout/facts.tsx';
import type { FieldError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { LinkButton } from '../../layout/link-button.tsx';
import { describeSaved, hashValues } from '../../layout/opened-values.ts';
import { createPageCommands } from '../../layout/page-commands.ts';
import { RadioGroup } from '../../layout/radio-group.tsx';
import {
  createRouter,
  form,
  loadNothing,
  type Question,
  question,
  type Reply,
  type Route,
  redirect,
} from '../../layout/routes.tsx';
import { type Choice, SelectField } from '../../layout/select-field.tsx';
import { requireStepUp } from '../../second-factor/step-up.tsx';
import { COMPLETENESS } from './completeness-router.tsx';
import { PRACTICE_SINGLE_SIGN_ON } from './single-sign-on-router.tsx';

export const TIME_ZONE_SET = 'Time zone saved.';

export const CLOCK_SET = 'Time format saved.';

const EDIT_FLAGS_SET = 'Edit flags saved.';

const DATE_FORMAT_SET = 'Date format saved.';

export const describeDue = (days: number | null): string =>
  days === null
    ? ', and have no due date.'
    : `, ${countInWords(days, 'day')} after the birth at the latest.`;

const TITLE = 'Practice';
const PAGE = '/registry/practice';
const FACTOR = `${PAGE}/second-factor`;

/** Setting with a form of its own; all of them are on one page. */
interface ChoiceSetting {
  readonly path: string;
  readonly name: keyof SubmittedSettings;
  readonly label: string;
  readonly listChoices: (current: string) => readonly Choice[];
}

const TIME_ZONE: ChoiceSetting = {
  path: PAGE,
  name: 'timeZone',
  label: 'Time zone',
  listChoices: (current) => listTimeZones(current),
};
const DATES: ChoiceSetting = {
  path: `${PAGE}/date-order`,
  name: 'dateOrder',
  label: 'Date format',
  listChoices: () => [
    { value: 'month-first', text: 'Month first: 5/12/2026 is May 12' },
    { value: 'day-first', text: 'Day first: 5/12/2026 is December 5' },
  ],
};
const CLOCK: ChoiceSetting = {
  path: `${PAGE}/clock`,
  name: 'clock',
  label: 'Time format',
  listChoices: () => [
    { value: '12', text: '12-hour: 11:05 PM' },
    { value: '24', text: '24-hour: 23:05' },
  ],
};

const EDIT_FLAGS: ChoiceSetting = {
  path: `${PAGE}/edit-flags`,
  name: 'editFlags',
  label: 'Edit flags',
  listChoices: () => [
    { value: 'blank', text: 'Leave blank: the state sets them' },
    { value: 'written', text: 'Write what your practice confirmed' },
  ],
};

const NO_TIME_ZONE: FieldError = {
  field: 'timeZone',
  id: 'no-time-zone',
  message: 'Choose a time zone from the list.',
};
const NO_DATE_ORDER: FieldError = {
  field: 'dateOrder',
  id: 'no-date-order',
  message: 'Choose how your practice writes dates.',
};
const NO_CLOCK: FieldError = {
  field: 'clock',
  id: 'no-clock',
  message: 'Choose how times are shown.',
};

const NO_EDIT_FLAGS: FieldError = {
  field: 'editFlags',
  id: 'no-edit-flags',
  message: 'Choose whether the state file has edit flags.',
};

export const practiceSettingsRouter = (app: App): Router => {
  const save = async (res: Response, setting: Setting, message: string): Promise<Reply> => {
    const seat = getSeat(res);
    await createPageCommands(app, res).practices.set(seat.practiceId, {
      sandbox: null,
      beta: null,
      ...setting,
    });
    return redirect(PAGE, message);
  };

  const createSettingForm = (
    { path, name, label, listChoices }: ChoiceSetting,
    set: (typed: string, res: Response) => Promise<Reply | readonly FieldError[]>,
  ): Route =>
    form<null, SubmittedSettings>(path, requireAdmin, {
      load: loadNothing,
      title: TITLE,
      open: (_loaded, _req, res) => listSettings(getSeat(res).practice),
      read: (req) => ({ [name]: readFormText(req, name) }),
      replaces: {
        [name]: {
          label,
          describe({ [name]: current = '' }) {
            const choice = listChoices(current).find(({ value }) => value === current);
            return describeSaved(label, choice?.text);
          },
        },
      },
      ...(path !== PAGE && { parentPage: PAGE }),
      view: (typed, _loaded, res) => (
        <PracticeSettings practice={getSeat(res).practice} typed={typed} />
      ),
      save: async (typed, _loaded, _req, res) => set(typed[name] ?? '', res),
    });

  return createRouter(
    createSettingForm(TIME_ZONE, async (timeZone, res) => {
      const saving = save(res, { timeZone }, TIME_ZONE_SET);
      return (await catchRefusal(saving)) === null ? saving : [NO_TIME_ZONE];
    }),
    createSettingForm(DATES, async (typed, res) => {
      const dateOrder = DATE_ORDERS.find((one) => one === typed);
      return dateOrder === undefined ? [NO_DATE_ORDER] : save(res, { dateOrder }, DATE_FORMAT_SET);
    }),
    createSettingForm(CLOCK, async (typed, res) => {
      const clock = CLOCKS.find((one) => one === typed);
      return clock === undefined ? [NO_CLOCK] : save(res, { clock }, CLOCK_SET);
    }),
    createSettingForm(EDIT_FLAGS, async (typed, res) => {
      const isKnown = EDIT_FLAGS.listChoices(typed).some(({ value }) => value === typed);
      const setting = { writesEditFlags: typed === 'written' };
      return isKnown ? save(res, setting, EDIT_FLAGS_SET) : [NO_EDIT_FLAGS];
    }),
    question(FACTOR, requireAdmin, {
      stepUp: requireStepUp(app),
      load: (_req, res) => app.reads.listMembers(getSeat(res).practiceId),
      back: () => PAGE,
      ask: (members, _req, res) =>
        getSeat(res).practice.requiresSecondFactor ? ASK_OPTIONAL : buildRequireQuestion(members),
      run: (_members, req, res) => {
        const requiresSecondFactor = readFormText(req, 'to') === 'required';
        const message = requiresSecondFactor
          ? describeRequirement(req.session.factorAt !== undefined)
          : 'The second factor is now optional for members.';
        return save(res, { requiresSecondFactor }, message);
      },
    }),
  );
};

type Setting = Omit<SetPractice, 'sandbox' | 'beta' | 'name'>;

/** Settings with a form of their own. */
type SubmittedSettings = Readonly<
  Partial<Record<'timeZone' | 'dateOrder' | 'clock' | 'editFlags', string>>
>;

type CurrentSettings = Required<SubmittedSettings>;

const listSettings = ({
  timeZone,
  dateOrder,
  clock,
  writesEditFlags,
}: SeatPractice): CurrentSettings => ({
  timeZone,
  dateOrder: dateOrder ?? getDefaultDateOrder(timeZone),
  clock,
  editFlags: writesEditFlags ? 'written' : 'blank',
});

const hashSetting = ({ name }: ChoiceSetting, saved: CurrentSettings): string =>
  hashValues({ [name]: saved[name] });

const buildRequireQuestion = (members: readonly ListedMember[]): Question => {
  const seated = members.filter(({ status }) => status === 'seated');
  const without = seated.filter(({ secondFactor }) => secondFactor.length === 0);
  return {
    title: 'Require a second factor?',
    submit: 'Require a second factor',
    fields: { to: 'required' },
    children: (
      <>
        <p>
          Every member will sign in with a passkey or an authenticator app in addition to their
          password. Members who have neither must set one up at their next click before they can do
          anything else. A form that they are filling in is not saved: after the setup, they go back
          and submit it again.
        </p>
        <p>
          {describeMembersWithout(
            without.map(({ email }) => email),
            seated.length,
          )}
        </p>
        <p>Keys and EHRs are not affected.</p>
      </>
    ),
  };
};

const ASK_OPTIONAL: Question = {
  title: 'Stop requiring a second factor?',
  submit: 'Stop requiring it',
  destructive: true,
  fields: { to: 'optional' },
  children: (
    <p>
      Members keep their passkeys and apps, but they can remove them. Without one, a stolen password
      is enough to open their account and see the practice’s births.
    </p>
  ),
};

const LIST = new Intl.ListFormat('en-US');

export const describeMembersWithout = (emails: readonly string[], members: number): string =>
  emails.length === 0
    ? 'Every member already has one.'
    : `${emails.length} of ${countInWords(members, 'member')} ${emails.length === 1 ? 'has' : 'have'} none yet: ${LIST.format(emails)}.`;

/** @param hasUsedFactor in this session */
export const describeRequirement = (hasUsedFactor: boolean): string =>
  `Every member now needs a second factor.${hasUsedFactor ? '' : ' Set up your own to continue.'}`;

const PracticeSettings = ({
  practice,
  typed,
}: {
  readonly practice: SeatPractice;
  readonly typed: SubmittedSettings;
}) => {
  const { name, sandbox, requiresSecondFactor, neededItems, daysUntilDue } = practice;
  const saved = listSettings(practice);
  const values = { ...saved, ...typed };
  return (
    <>
      <Facts
        of={[
          ['Name', name],
          ['Kind', sandbox ? 'Sandbox, for synthetic data only' : 'Real practice'],
        ]}
      />
      <p class="quiet">To change these, ask the service staff.</p>
      <Form action={TIME_ZONE.path} openedHash={hashSetting(TIME_ZONE, saved)}>
        <SelectField
          name={TIME_ZONE.name}
          label={TIME_ZONE.label}
          hint="Times are shown and entered in this time zone."
          choices={TIME_ZONE.listChoices(saved.timeZone)}
          value={values.timeZone}
        />
        <div class="buttons">
          <button type="submit" class="usa-button">
            Set time zone
          </button>
        </div>
      </Form>
      <ChoiceForm
        {...{ saved, values }}
        setting={DATES}
        hint="Forms and CSV files read dates in this order. Each date is repeated in words as you type it."
        submit="Set date format"
      />
      <ChoiceForm
        {...{ saved, values }}
        setting={CLOCK}
        hint="Pages show times this way. You can enter times either way."
        submit="Set time format"
      />
      <h2>Complete records</h2>
      <p>
        Records need {countInWords(neededItems.length, 'item')} of the certificate of live birth
        {describeDue(daysUntilDue)} <a href={COMPLETENESS}>Choose what a record needs</a>
      </p>
      <h2>State file</h2>
      <ChoiceForm
        {...{ saved, values }}
        setting={EDIT_FLAGS}
        hint="They show the state which unusual values you asked about. Flags that came with a record are always written."
        submit="Set edit flags"
      />
      <h2>Single sign-on</h2>
      <p>
        Members can sign in at your practice’s identity provider.{' '}
        <a href={PRACTICE_SINGLE_SIGN_ON}>Single sign-on settings</a>
      </p>
      <h2 id="second-factor">
        Second factor: {requiresSecondFactor ? 'required of every member' : 'optional'}
      </h2>
      <p>
        {requiresSecondFactor
          ? 'Members sign in with a passkey or an authenticator app in addition to their password.'
          : 'Members without a passkey or authenticator app sign in with a password alone.'}
      </p>
      <LinkButton action={FACTOR} about="second-factor">
        {requiresSecondFactor ? 'Stop requiring it' : 'Require a second factor'}
      </LinkButton>
    </>
  );
};

const ChoiceForm = ({
  setting,
  saved,
  values,
  hint,
  submit,
}: Readonly<Record<'saved' | 'values', CurrentSettings>> & {
  readonly setting: ChoiceSetting;
  readonly hint: string;
  readonly submit: string;
}) => (
  <Form action={setting.path} openedHash={hashSetting(setting, saved)}>
    <RadioGroup
      name={setting.name}
      label={setting.label}
      hint={hint}
      choices={setting.listChoices(saved[setting.name])}
      value={values[setting.name]}
    />
    <div class="buttons">
      <button type="submit" class="usa-button usa-button--outline">
        {submit}
      </button>
    </div>
  </Form>
);

const COMMON_US_ZONES: readonly Choice[] = [
  { value: 'America/New_York', text: 'Eastern (New York)' },
  { value: 'America/Chicago', text: 'Central (Chicago)' },
  { value: 'America/Denver', text: 'Mountain (Denver)' },
  { value: 'America/Phoenix', text: 'Mountain without daylight saving (Phoenix)' },
  { value: 'America/Los_Angeles', text: 'Pacific (Los Angeles)' },
  { value: 'America/Anchorage', text: 'Alaska (Anchorage)' },
  { value: 'Pacific/Honolulu', text: 'Hawaii (Honolulu)' },
  { value: 'America/Puerto_Rico', text: 'Atlantic (Puerto Rico)' },
  { value: 'Pacific/Guam', text: 'Chamorro (Guam)' },
  { value: 'Pacific/Pago_Pago', text: 'Samoa (Pago Pago)' },
];

const COMMON_US_NAMES = new Set(COMMON_US_ZONES.map(({ value }) => value));

const OTHER_ZONES: readonly Choice[] = Intl.supportedValuesOf('timeZone')
  .filter((zone) => !COMMON_US_NAMES.has(zone))
  .map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }));

/** Common US zones first. @param current time zone, always included */
const listTimeZones = (current: string): readonly Choice[] => {
  const known = [...COMMON_US_ZONES, ...OTHER_ZONES];
  return known.some(({ value }) => value === current)
    ? known
    : [...known, { value: current, text: current.replaceAll('_', ' ') }];
};
