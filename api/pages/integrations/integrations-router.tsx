import type { Request, Response, Router } from 'express';
import { OVERLAP_HOURS } from '../../../domain/api-key/decide.ts';
import type { Scope } from '../../../domain/api-key/events.ts';
import {
  computeExpiry,
  computeLifetimeDays,
  isReplaceable,
} from '../../../domain/api-key/lifetime.ts';
import { CommandRefused } from '../../commands/command-refused.ts';
import type {
  KeyCommands,
  MintedKey as MadeKey,
  NativeKeyOrder,
} from '../../commands/manage-keys.ts';
import type { App } from '../../ports/app-ports.ts';
import { createPracticeClock } from '../../practice-time/practice-clock.ts';
import { readFormText } from '../../web/form-body.ts';
import { getSeat, requireAdmin, requireAdminOrProvider } from '../../web/guards/seats.ts';
import { readPageNumber } from '../../web/page-number.ts';
import { PageProblem, pageNotFound, unreadableForm } from '../../web/page-problem.ts';
import { createRunOnce } from '../../web/single-use-form.ts';
import { MAX_ENTRIES } from '../layout/audit-trail.tsx';
import type { FieldError } from '../layout/field-errors.ts';
import { FormIdField } from '../layout/hidden-fields.tsx';
import type { PageView } from '../layout/page.tsx';
import { createPageCommands } from '../layout/page-commands.ts';
import { RadioGroup } from '../layout/radio-group.tsx';
import {
  backToForm,
  createRouter,
  page,
  post,
  question,
  type Reply,
  redirect,
} from '../layout/routes.tsx';
import {
  checkKey,
  NEW_KEY,
  parseAddresses,
  readTypedKey,
  type TypedKey,
} from '../parts/keys/key-fields.tsx';
import { formatKeyName } from '../parts/keys/key-table.tsx';
import { changeAddresses, findKey, type KeyOwner, revokeKey } from '../parts/keys/keys-router.tsx';
import { buildMintedKeyPage } from '../parts/keys/minted-key.tsx';
import { requireStepUp } from '../second-factor/step-up.tsx';
import { formatDate } from '../text/format-dates.ts';
import { formatScopes } from '../text/scope-text.ts';
import { buildSubmissionsPath, IntegrationsPage, KEY_PAGE } from './integrations-page.tsx';

export const KEYS_NOT_AVAILABLE = 'Keys are not available to your practice yet';

export const REVOKING_IS_FINAL = 'This cannot be undone: anyone who uses it needs a new key.';

export const SCRIBE_KEY = 'Scribe key';

const HOME = '/registry/integrations';
const PUSHES_ON_A_PAGE = 25;
/** Older submissions are not listed. */
const MAX_PUSHES = 1_000;
const SCRIBE_SCOPES: readonly Scope[] = ['ingest:write'];

/** @see spec "Authentication" */
export const integrationsRouter = (app: App): Router => {
  const { reads } = app;
  const stepUp = requireStepUp(app);
  const runOnce = createRunOnce(app.usedForms);
  const commands = (res: Response): KeyCommands => createPageCommands(app, res).keys;
  const keyOwner: KeyOwner = {
    home: HOME,
    guard: requireAdmin,
    stepUp,
    // Only the service staff revokes the keys of partners.
    listKeys: async (_req, res) =>
      (await reads.listPracticeKeys(getSeat(res).practiceId)).filter(
        ({ kind }) => kind === 'native',
      ),
    commands,
    describeRevoking: (key) => (
      <>
        <p>
          <strong>{formatKeyName(key)}</strong> {formatScopes(key.scopes)}. As soon as you revoke
          it, every request with it is refused. {REVOKING_IS_FINAL}
        </p>
        <p>Births already sent with it stay in the registry.</p>
      </>
    ),
  };

  const showPage = async (
    req: Request,
    res: Response,
    typed: TypedKey,
    errors: readonly FieldError[] = [],
  ): Promise<Reply> => {
    const { practiceId, practice, role } = getSeat(res);
    const isAdmin = role === 'Admin';
    const number = readPageNumber(req);
    const from = (number - 1) * PUSHES_ON_A_PAGE;
    const [keys, { total, pushes }, audit] = await Promise.all([
      reads.listPracticeKeys(practiceId),
      reads.activity.findPushes(practiceId, { from, count: PUSHES_ON_A_PAGE, most: MAX_PUSHES }),
      isAdmin ? reads.readPracticeAudit(practiceId, MAX_ENTRIES) : null,
    ]);
    const pages = Math.max(1, Math.ceil(total / PUSHES_ON_A_PAGE));
    if (number > pages) return redirect(buildSubmissionsPath(pages));
    return {
      title: 'Integrations',
      errors,
      children: (
        <IntegrationsPage
          pushes={pushes}
          page={number}
          pages={pages}
          audit={audit}
          keys={keys}
          keyPage={readPageNumber(req, KEY_PAGE)}
          isInBeta={practice.beta}
          replayingKeys={keys.filter(({ replays }) => replays > 0)}
          typed={isAdmin ? typed : null}
        />
      ),
    };
  };

  const mint = async (
    req: Request,
    res: Response,
    { name, scopes, addresses: typedAddresses, lifetime }: TypedKey,
    make: MakeKey = (keys, order, endsAt) => keys.mintNative(order, endsAt),
  ): Promise<PageView> => {
    const { memberId, practiceId, practice } = getSeat(res);
    const addresses = parseAddresses(typedAddresses);
    const order = { practiceId, name: name === '' ? null : name, scopes, addresses };
    const endsAt = lifetime === null ? null : computeExpiry(lifetime, app.now());
    const minted = await runOnce(req, memberId, () =>
      make(commands(res), order, endsAt).catch((error: unknown) => {
        throw error instanceof CommandRefused ? buildKeyNotMinted(error.message) : error;
      }),
    );
    // A practice with real births must not receive made-up ones, and a key limited to addresses may
    // not work from the browser.
    const offersTest =
      practice.sandbox && scopes.includes('ingest:write') && addresses.length === 0;
    return buildMintedKeyPage(minted, {
      name,
      scopes,
      addresses,
      pushBase: app.pushBase,
      back: HOME,
      ...(offersTest && { testBirthAt: app.now() }),
    });
  };

  return createRouter(
    page(HOME, requireAdminOrProvider, (req, res) => showPage(req, res, NEW_KEY)),
    backToForm(`${HOME}/keys`, requireAdmin, HOME),
    post(`${HOME}/keys`, [requireAdmin, stepUp], (req, res) => {
      requireBeta(res);
      const typed = readTypedKey(req);
      const errors = checkKey(typed);
      return errors.length > 0 ? showPage(req, res, typed, errors) : mint(req, res, typed);
    }),
    backToForm(`${HOME}/scribe-key`, requireAdmin, HOME),
    post(`${HOME}/scribe-key`, [requireAdmin, stepUp], (req, res) => {
      requireBeta(res);
      return mint(req, res, createScribeKey(app.now(), getSeat(res).practice.timeZone));
    }),
    question(`${HOME}/keys/:key/replace`, requireAdmin, {
      stepUp,
      load: async (req, res) => {
        requireBeta(res);
        const key = await findKey(keyOwner, req, res);
        if (!isReplaceable(key, app.now())) throw pageNotFound();
        return key;
      },
      back: () => HOME,
      ask: ({ name }) => ({
        title: `Replace ${name ?? 'the key without a name'}?`,
        submit: 'Mint the new key',
        children: (
          <>
            <FormIdField />
            <p>
              You get a new key with the same name, permissions, addresses, and lifetime. The old
              one keeps working for a while, so there is time to switch.
            </p>
            <RadioGroup
              name="overlap"
              label="The old key works for"
              choices={OVERLAPS}
              value={OVERLAPS[1]?.value}
            />
          </>
        ),
      }),
      run: (key, req, res) => {
        const hours = OVERLAP_HOURS.find((one) => String(one) === readFormText(req, 'overlap'));
        if (hours === undefined) throw unreadableForm(400);
        const typed = {
          name: key.name ?? '',
          scopes: key.scopes,
          addresses: key.addresses.join('\n'),
          lifetime: computeLifetimeDays(key),
        };
        return mint(req, res, typed, (keys, order, endsAt) => {
          const oldEndsAt = new Date(app.now().getTime() + hours * MS_IN_HOUR);
          return keys.replaceNative(key.keyId, oldEndsAt, order, endsAt);
        });
      },
    }),
    changeAddresses(keyOwner),
    revokeKey(keyOwner),
  );
};

type MakeKey = (keys: KeyCommands, order: NativeKeyOrder, endsAt: Date | null) => Promise<MadeKey>;

/** Spec "Authentication", rule 6: no self-service path to a key outside the beta. */
const requireBeta = (res: Response): void => {
  if (!getSeat(res).practice.beta)
    throw new PageProblem(
      403,
      KEYS_NOT_AVAILABLE,
      'No key was minted. Connecting an EHR is in beta with a few practices. Ask the service staff to add yours.',
    );
};

/** The date distinguishes scribe keys. */
const createScribeKey = (now: Date, timeZone: string): TypedKey => ({
  name: `${SCRIBE_KEY}, ${formatDate(createPracticeClock(timeZone, now).today)}`,
  scopes: SCRIBE_SCOPES,
  addresses: '',
  lifetime: null,
});

const buildKeyNotMinted = (reason: string): PageProblem =>
  new PageProblem(409, 'No key was minted', reason);

const OVERLAPS = OVERLAP_HOURS.map((hours) => ({
  value: String(hours),
  text: hours === 1 ? '1 hour' : `${hours} hours`,
}));

const MS_IN_HOUR = 3_600_000;
