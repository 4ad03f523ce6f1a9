import { type Request, type Response, Router } from 'express';
import { OVERLAP_HOURS } from '../../../domain/api-key/decide.ts';
import type { Scope } from '../../../domain/api-key/events.ts';
import {
  computeExpiry,
  computeLifetimeDays,
  isReplaceable,
} from '../../../domain/api-key/lifetime.ts';
import type { ListedKey } from '../../../projections/lists/accounts.ts';
import { toPerson } from '../../access/person.ts';
import { CommandRefused } from '../../commands/command-refused.ts';
import { createCommands } from '../../commands/command-sets.ts';
import type {
  KeyCommands,
  MintedKey as MadeKey,
  NativeKeyOrder,
} from '../../commands/manage-keys.ts';
import type { App } from '../../ports/app-ports.ts';
import { createPracticeClock } from '../../practice-time/practice-clock.ts';
import { readFormText } from '../../web/form-body.ts';
import { getSeat, requireRole } from '../../web/guards/seats.ts';
import { readPageNumber } from '../../web/page-number.ts';
import { PageProblem, pageNotFound, unreadableForm } from '../../web/page-problem.ts';
import { redirectGet } from '../../web/redirect-get.ts';
import { flash } from '../../web/session/flash.ts';
import { createRunOnce, FORM_ID_FIELD, newFormId } from '../../web/single-use-form.ts';
import { MAX_ENTRIES } from '../layout/audit-trail.tsx';
import { Confirm } from '../layout/confirm.tsx';
import type { FieldError } from '../layout/field-errors.ts';
import { RadioGroup } from '../layout/radio-group.tsx';
import { sendPage } from '../layout/send-page.tsx';
import { requireStepUp } from '../layout/step-up.tsx';
import { formatDate } from '../text/format-dates.ts';
import { formatScopes } from '../text/scope-text.ts';
import { buildSubmissionsPath, IntegrationsPage } from './integrations-page.tsx';
import {
  askForAddresses,
  changeAddresses,
  formatAddresses,
  parseAddresses,
} from './key-addresses.tsx';
import { checkKey, NEW_KEY, readTypedKey, type TypedKey } from './key-order.ts';
import { formatKeyName } from './key-table.tsx';
import { KeyAlreadyShown, MintedKey } from './minted-key.tsx';
import { afterRevoking, askToRevoke, requireKey } from './revoke-key.tsx';
import { TEST_BIRTH_SCRIPT, TestBirth } from './test-birth.tsx';

export const KEYS_NOT_AVAILABLE = 'Keys are not available to your practice yet';

/** Warns that revoking a key is final. */
export const REVOKING_IS_FINAL = 'This cannot be undone: anyone who uses it needs a new key.';

/** Start of a scribe key's name. */
export const SCRIBE_KEY = 'Scribe key';

const HOME = '/registry/integrations';
const PUSHES_ON_A_PAGE = 25;
/** Older submissions are not listed. */
const MAX_PUSHES = 1_000;
const SCRIBE_SCOPES: readonly Scope[] = ['ingest:write'];

const readers = requireRole('Admin', 'Provider');
const admins = requireRole('Admin');

/**
 * Keys of a practice and their submissions.
 * @see spec "Authentication"
 */
export const integrationsRouter = (registry: App): Router => {
  const show = createSendPage(registry);
  const mint = createKeyMinter(registry);
  const fresh = requireStepUp(registry);
  return Router()
    .get(HOME, readers, (req, res) => show(req, res, NEW_KEY, []))
    .get(`${HOME}/keys`, admins, redirectGet(HOME))
    .post(`${HOME}/keys`, admins, fresh, async (req, res) => {
      requireBeta(res);
      const typed = readTypedKey(req);
      const errors = checkKey(typed);
      if (errors.length > 0) await show(req, res, typed, errors);
      else await mint(req, res, typed);
    })
    .get(`${HOME}/scribe-key`, admins, redirectGet(HOME))
    .post(`${HOME}/scribe-key`, admins, fresh, async (req, res) => {
      requireBeta(res);
      await mint(req, res, scribeKey(registry.now(), getSeat(res).practice.timeZone));
    })
    .get(`${HOME}/keys/:key/replace`, admins, async (req, res) => {
      requireBeta(res);
      const key = await requireReplaceableKey(registry, req, res);
      sendPage(req, res, {
        title: `Replace ${key.name ?? 'the key without a name'}?`,
        children: (
          <Confirm
            action={`${HOME}/keys/${key.keyId}/replace`}
            submit="Mint the new key"
            cancel={HOME}
            fields={{ [FORM_ID_FIELD]: newFormId() }}
          >
            <p>
              You get a new key with the same name, permissions, addresses, and lifetime. The old
              one keeps working for a while, so there is time to switch.
            </p>
            <RadioGroup
              name="overlap"
              label="The old key works for"
              choices={OVERLAPS}
              value={OVERLAPS[1]?.value}
              error={undefined}
            />
          </Confirm>
        ),
      });
    })
    .post(`${HOME}/keys/:key/replace`, admins, fresh, async (req, res) => {
      requireBeta(res);
      const key = await requireReplaceableKey(registry, req, res);
      const hours = OVERLAP_HOURS.find((one) => String(one) === readFormText(req, 'overlap'));
      if (hours === undefined) throw unreadableForm(400);
      const typed = {
        name: key.name ?? '',
        scopes: key.scopes,
        addresses: formatAddresses(key.addresses),
        lifetime: computeLifetimeDays(key),
      };
      await mint(req, res, typed, (keys, order, endsAt) => {
        const oldEndsAt = new Date(registry.now().getTime() + hours * MS_IN_HOUR);
        return keys.replaceNative(key.keyId, oldEndsAt, order, endsAt);
      });
    })
    .get(`${HOME}/keys/:key/addresses`, admins, async (req, res) => {
      askForAddresses(req, res, await requireLiveKey(registry, req, res), HOME);
    })
    .post(`${HOME}/keys/:key/addresses`, admins, fresh, async (req, res) => {
      const key = await requireLiveKey(registry, req, res);
      const { keys } = createCommands(registry, toPerson(getSeat(res)));
      await changeAddresses(req, res, key, HOME, keys);
    })
    .get(`${HOME}/keys/:key/revoke`, admins, async (req, res) => {
      const key = await requireOwnKey(registry, req, res);
      if (key.revokedAt !== null) {
        flash(req, 'info', `${formatKeyName(key)} was already revoked.`);
        res.redirect(303, HOME);
        return;
      }
      askToRevoke(
        req,
        res,
        key,
        HOME,
        <>
          <p>
            <strong>{formatKeyName(key)}</strong> {formatScopes(key.scopes)}. As soon as you revoke
            it, every request with it is refused. {REVOKING_IS_FINAL}
          </p>
          <p>Births already sent with it stay in the registry.</p>
        </>,
      );
    })
    .post(`${HOME}/keys/:key/revoke`, admins, fresh, async (req, res) => {
      const key = await requireOwnKey(registry, req, res);
      await createCommands(registry, toPerson(getSeat(res))).keys.revoke(key.keyId);
      afterRevoking(req, res, key, HOME);
    });
};

const createSendPage =
  ({ reads }: App) =>
  async (
    req: Request,
    res: Response,
    typed: TypedKey,
    errors: readonly FieldError[],
  ): Promise<void> => {
    const { practiceId, practice, role } = getSeat(res);
    const isAdmin = role === 'Admin';
    const page = readPageNumber(req);
    const from = (page - 1) * PUSHES_ON_A_PAGE;
    const [allKeys, { total, pushes }, audit] = await Promise.all([
      reads.listKeysOfPractice(practiceId),
      reads.findPushes(practiceId, { from, count: PUSHES_ON_A_PAGE, most: MAX_PUSHES }),
      isAdmin ? reads.findPracticeAudit(practiceId, MAX_ENTRIES) : null,
    ]);
    const pages = Math.max(1, Math.ceil(total / PUSHES_ON_A_PAGE));
    if (page > pages) {
      res.redirect(303, buildSubmissionsPath(pages));
      return;
    }
    sendPage(req, res, {
      title: 'Integrations',
      hasErrors: errors.length > 0,
      children: (
        <IntegrationsPage
          pushes={pushes}
          page={page}
          pages={pages}
          audit={audit}
          keys={allKeys}
          isInBeta={practice.beta}
          replayingKeys={allKeys.filter(({ replays }) => replays > 0)}
          form={isAdmin ? { typed, errors, newFormId } : null}
        />
      ),
    });
  };

type MakeKey = (keys: KeyCommands, order: NativeKeyOrder, endsAt: Date | null) => Promise<MadeKey>;

const createKeyMinter = (registry: App) => {
  const once = createRunOnce(registry.usedForms);
  return async (
    req: Request,
    res: Response,
    { name, scopes, addresses: typedAddresses, lifetime }: TypedKey,
    make: MakeKey = (keys, order, endsAt) => keys.mintNative(order, endsAt),
  ): Promise<void> => {
    const seat = getSeat(res);
    const { keys } = createCommands(registry, toPerson(seat));
    const { practiceId } = seat;
    const addresses = parseAddresses(typedAddresses);
    const minted = await once(req, seat.memberId, () =>
      make(
        keys,
        { practiceId, name: name === '' ? null : name, scopes, addresses },
        lifetime === null ? null : computeExpiry(lifetime, registry.now()),
      ).catch((error: unknown) => {
        throw error instanceof CommandRefused ? keyNotMinted(error.message) : error;
      }),
    );
    if (minted.kind === 'repeated') {
      sendPage(req, res, { title: 'Key minted before', children: <KeyAlreadyShown back={HOME} /> });
      return;
    }
    const { token } = minted.value;
    // A practice with real births must not receive made-up ones, and a key limited to addresses may
    // not work from the browser.
    const offersTest =
      seat.practice.sandbox && scopes.includes('ingest:write') && addresses.length === 0;
    sendPage(req, res, {
      title: 'Key minted',
      scripts: ['copy.mjs', ...(offersTest ? [TEST_BIRTH_SCRIPT] : [])],
      children: (
        <MintedKey
          name={name}
          scopes={scopes}
          addresses={addresses}
          token={token}
          pushBase={registry.pushBase}
          back={HOME}
          testBirth={offersTest ? <TestBirth now={registry.now()} /> : null}
        />
      ),
    });
  };
};

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
const scribeKey = (now: Date, timeZone: string): TypedKey => ({
  name: `${SCRIBE_KEY}, ${formatDate(createPracticeClock(timeZone, now).today)}`,
  scopes: SCRIBE_SCOPES,
  addresses: '',
  lifetime: null,
});

const keyNotMinted = (reason: string): PageProblem =>
  new PageProblem(409, 'No key was minted', reason);

const OVERLAPS = OVERLAP_HOURS.map((hours) => ({
  value: String(hours),
  text: hours === 1 ? '1 hour' : `${hours} hours`,
}));

const MS_IN_HOUR = 3_600_000;

/** Working key of the practice that has no successor yet. */
const requireReplaceableKey = async (
  registry: App,
  req: Request,
  res: Response,
): Promise<ListedKey> => {
  const key = await requireOwnKey(registry, req, res);
  if (!isReplaceable(key, registry.now())) throw pageNotFound();
  return key;
};

/** Key of the practice that is not revoked. */
const requireLiveKey = async (registry: App, req: Request, res: Response): Promise<ListedKey> => {
  const key = await requireOwnKey(registry, req, res);
  if (key.revokedAt !== null) throw pageNotFound();
  return key;
};

/** Key of the practice; only the service staff revokes the keys of partners. */
const requireOwnKey = async ({ reads }: App, req: Request, res: Response): Promise<ListedKey> => {
  const keys = await reads.listKeysOfPractice(getSeat(res).practiceId);
  return requireKey(
    req,
    keys.filter(({ kind }) => kind === 'native'),
  );
};
