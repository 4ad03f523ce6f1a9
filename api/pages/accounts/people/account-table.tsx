import type { ListedMember } from '../../../../projections/lists/accounts.ts';
import { displayName, type NamedPerson } from '../../../../projections/lists/people-names.ts';
import { type Column, DataTable } from '../../layout/data-table.tsx';
import { Tag } from '../../layout/tag.tsx';
import { Time } from '../../layout/time.tsx';

const WORDS = { passkey: 'passkey', totp: 'app' } as const;

/** Second factors of an account: "Passkey and app". */
export const formatFactors = (kinds: ListedMember['secondFactor']): string => {
  const words = kinds.map((kind) => WORDS[kind]).join(' and ');
  return words === '' ? 'None' : words.charAt(0).toUpperCase() + words.slice(1);
};

/** Person with an account or an invitation. */
export interface Account
  extends NamedPerson,
    Pick<ListedMember, 'since' | 'lastSignInAt' | 'secondFactor'> {}

export const AccountTable = <Row extends Account>({
  caption,
  rows,
  listPath,
  getId,
  self,
  hasAccount,
  isDormant,
  columns,
  action,
}: {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly listPath: string;
  readonly getId: (row: Row) => string;
  /** Id of the person who views the page. */
  readonly self: string;
  readonly hasAccount?: (row: Row) => boolean;
  readonly isDormant?: (row: Row) => boolean;
  /** Columns between the name and the last sign-in. */
  readonly columns: readonly Column<Row>[];
  /** Last column; its buttons are described by the element `person-` and the id. */
  readonly action?: Column<Row>;
}) => (
  <DataTable
    caption={caption}
    captionHidden
    rows={rows}
    keyOf={getId}
    columns={[
      {
        heading: 'Person',
        namesRow: true,
        cell: (row) => (
          <span id={`person-${getId(row)}`}>
            <a href={`${listPath}/${getId(row)}`}>{displayName(row)}</a>
            {getId(row) === self && <strong> (you)</strong>}
            {row.name !== null && <span class="beneath">{row.email}</span>}
          </span>
        ),
      },
      ...columns,
      {
        heading: 'Last sign-in',
        cell: (row) => <LastSignIn account={row} isDormant={isDormant?.(row) ?? false} />,
      },
      {
        heading: 'Second factor',
        cell: (row) => ((hasAccount?.(row) ?? true) ? formatFactors(row.secondFactor) : '–'),
      },
      ...(action === undefined ? [] : [action]),
    ]}
  />
);

export const LastSignIn = ({
  account: { lastSignInAt },
  isDormant,
}: {
  readonly account: Account;
  readonly isDormant: boolean;
}) => (
  <>
    <span class="text-no-wrap">{lastSignInAt === null ? 'Never' : <Time at={lastSignInAt} />}</span>{' '}
    {isDormant && <Tag kind="warning" text="Not used for 90 days" />}
  </>
);
